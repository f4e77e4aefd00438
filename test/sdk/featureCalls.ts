import { exchangeCalls } from './exchangeCalls.js';
import type { FeatureCalls } from './featureCall.js';
import { parameterCalls } from './parameterCalls.js';
import { schemaCalls } from './schemaCalls.js';

/** By row. */
export const featureCalls: Readonly<Record<string, FeatureCalls>> = {
  ...parameterCalls,
  ...schemaCalls,
  ...exchangeCalls,
};
