import { accessDefects } from './accessDefects.js';
import { answerDefects } from './answerDefects.js';
import { boundaryDefects } from './boundaryDefects.js';
import { conversionDefects } from './conversionDefects.js';
import { credentialDefects } from './credentialDefects.js';
import { detailDefects } from './detailDefects.js';
import { exchangeDefects } from './exchangeDefects.js';
import { handlerDefects } from './handlerDefects.js';
import { idempotencyDefects } from './idempotencyDefects.js';
import { listedDefects } from './listedDefects.js';
import { orderDefects } from './orderDefects.js';
import { protocolDefects } from './protocolDefects.js';
import { readingDefects } from './readingDefects.js';
import { recordDefects } from './recordDefects.js';
import type { ServiceDefect } from './serviceDefect.js';
import { validationDefects } from './validationDefects.js';
import { webChangeDefects } from './webChangeDefects.js';
import { webDefects } from './webDefects.js';
import { webDetailDefects } from './webDetailDefects.js';

const firstDefects: readonly ServiceDefect[] = [
  ...handlerDefects,
  ...recordDefects,
  ...conversionDefects,
  ...validationDefects,
  ...accessDefects,
  ...answerDefects,
];

/** One for a sentence of the specification each, written before the run looked for them. */
const apiDefects: readonly ServiceDefect[] = [
  ...listedDefects,
  ...idempotencyDefects,
  ...credentialDefects,
  ...exchangeDefects,
  ...readingDefects,
  ...boundaryDefects,
  ...orderDefects,
  ...protocolDefects,
  ...detailDefects,
];

/** Each of them compiles. They were chosen without a look at what the contract run checks. */
export const serviceDefects: readonly ServiceDefect[] = [
  ...firstDefects,
  ...apiDefects.map((defect) => ({ ...defect, contract: 'openapi.yaml' as const })),
  ...[...webDefects, ...webChangeDefects, ...webDetailDefects].map((defect) => ({
    ...defect,
    contract: 'web.yaml' as const,
  })),
];
