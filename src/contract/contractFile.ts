import { fileURLToPath } from 'node:url';

const here = import.meta.url;

/** `openapi.yaml` at the root of the package, seen from `src/contract/` and from `dist/src/contract/`. */
export const contractFile = fileURLToPath(
  new URL(here.includes('/dist/src/') ? '../../../openapi.yaml' : '../../openapi.yaml', here),
);
