import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { packageRoot } from '../../lib/packageRoot.js';
import { CommandError } from '../io.js';

/** What is used of openapi-typescript. */
interface Generator {
  default(
    contract: string,
    options: { readonly silent: boolean; readonly readWriteMarkers: boolean },
  ): Promise<unknown>;
  astToString(tree: unknown): string;
}

/**
 * Loads openapi-typescript, and with it TypeScript, from the project whose types are made: it is too large to be part of
 * every installation, and only those who develop need it.
 */
export const loadGenerator = (contract: string): Generator => {
  for (const folder of [process.cwd(), dirname(resolve(contract)), packageRoot]) {
    const loadThere = createRequire(join(folder, 'package.json'));
    try {
      loadThere.resolve('openapi-typescript');
    } catch {
      continue;
    }
    return loadThere('openapi-typescript') as Generator;
  }
  throw new CommandError(
    'not-applicable',
    'types are made by openapi-typescript, which is not installed here: npm install --save-dev openapi-typescript@7 typescript@5',
  );
};
