import type { Stage } from './stage.js';
import type { StageName } from './stageNames.js';

/** Each stage is loaded when it is to run: the packages that some of them need take a second. */
const loaders: Readonly<Record<StageName, () => Promise<Stage>>> = {
  lint: async () => (await import('./lint/lint.js')).lint,
  types: async () => (await import('./types/types.js')).types,
  breaking: async () => (await import('./breaking/breaking.js')).breaking,
  examples: async () => (await import('./examples/examples.js')).examples,
  conformance: async () => (await import('./conformance/conformance.js')).conformance,
  generated: async () => (await import('./generated/generated.js')).generated,
  security: async () => (await import('./security/security.js')).security,
};

/** The stages with these names, in the same order. */
export const loadStages = (names: readonly StageName[]): Promise<Stage[]> =>
  Promise.all(names.map((name) => loaders[name]()));
