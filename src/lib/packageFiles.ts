import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packageRoot } from './packageRoot.js';

const { resolve } = createRequire(import.meta.url);

/**
 * The path of a file of another package. The build copies the few files that are served or printed with to `dist/files`,
 * so that an installation does not need the rest of those packages; in development there may be no build.
 */
export const findPackageFile = (name: string, file: string): string => {
  const copy = join(packageRoot, 'dist/files', name, file);
  return existsSync(copy) ? copy : join(dirname(resolve(`${name}/package.json`)), file);
};
