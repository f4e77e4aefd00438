import { fileURLToPath } from 'node:url';

/**
 * `openapi.yaml` at the root of the package, seen from a module in `src/contract/` or, when it is built, in
 * `dist/src/contract/`. Only what is built ends in `.js`; folders of these names may be anywhere above.
 */
export const contractFileFrom = (module: string): string =>
  fileURLToPath(new URL(module.endsWith('.js') ? '../../../openapi.yaml' : '../../openapi.yaml', module));

export const contractFile = contractFileFrom(import.meta.url);
