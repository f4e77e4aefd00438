import type { Feature } from './feature.js';
import { defaultFeature } from './defaultFeatures.js';
import { directionFeatures, directionFeatures31 } from './directionFeatures.js';
import { bodyFeatures } from './bodyFeatures.js';
import { parameterFeatures } from './parameterFeatures.js';
import { responseFeatures } from './responseFeatures.js';
import { schema31Features } from './schema31Features.js';
import { multipartFeatures } from './multipartFeatures.js';
import { formFeatures } from './formFeatures.js';
import { fileFeatures } from './fileFeatures.js';
import { discriminatorFeatures, discriminatorFeatures31 } from './discriminatorFeatures.js';
import { callbackFeature, linkFeature, webhookFeature } from './linkFeatures.js';
import { recursiveFeature, recursiveFeature31 } from './recursiveFeatures.js';
import { schemaFeatures } from './schemaFeatures.js';
import { securityFeatures } from './securityFeatures.js';
import { serviceFeatures } from './serviceFeatures.js';

/** What contracts may hold: the table in docs/contract.md. */
export const features: readonly Feature[] = [
  ...fileFeatures,
  ...parameterFeatures,
  defaultFeature,
  ...schemaFeatures,
  ...directionFeatures,
  ...discriminatorFeatures,
  recursiveFeature,
  ...schema31Features,
  ...directionFeatures31,
  ...discriminatorFeatures31,
  recursiveFeature31,
  webhookFeature,
  ...responseFeatures,
  ...formFeatures,
  ...multipartFeatures,
  linkFeature,
  callbackFeature,
  ...bodyFeatures,
  ...securityFeatures,
  ...serviceFeatures,
];
