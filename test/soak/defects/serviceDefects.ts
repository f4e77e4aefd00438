import { accessDefects } from './accessDefects.js';
import { answerDefects } from './answerDefects.js';
import { conversionDefects } from './conversionDefects.js';
import { handlerDefects } from './handlerDefects.js';
import { recordDefects } from './recordDefects.js';
import type { ServiceDefect } from './serviceDefect.js';
import { validationDefects } from './validationDefects.js';

/** Each of them compiles, and the contract run must find each. They were chosen without a look at what it checks. */
export const serviceDefects: readonly ServiceDefect[] = [
  ...handlerDefects,
  ...recordDefects,
  ...conversionDefects,
  ...validationDefects,
  ...accessDefects,
  ...answerDefects,
];
