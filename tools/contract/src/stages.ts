import type { StageName } from './options.js';
import type { Stage } from './stage.js';

export type ThirdPartyStageName = Exclude<StageName, 'lint' | 'types'>;

/** Each stage is loaded when it is to run: the packages that some of them need take a second. */
export const thirdPartyLoaders: Readonly<Record<ThirdPartyStageName, () => Promise<Stage>>> = {
  breaking: async () => (await import('./breaking/breaking.js')).breaking,
  examples: async () => (await import('./examples/examples.js')).examples,
  conformance: async () => (await import('./conformance/conformance.js')).conformance,
  generated: async () => (await import('./generated/generated.js')).generated,
  security: async () => (await import('./security/security.js')).security,
  sequences: async () => (await import('./sequences/sequences.js')).sequences,
};
