/** In the order in which they run. Each can be called alone: `npm run contract -- lint examples`. */
export const stageNames = [
  'lint',
  'types',
  'breaking',
  'examples',
  'conformance',
  'generated',
  'security',
] as const;

export type StageName = (typeof stageNames)[number];
