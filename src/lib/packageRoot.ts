import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';

const nearestPackage = (folder: string): string =>
  existsSync(join(folder, 'package.json')) || dirname(folder) === folder
    ? folder
    : nearestPackage(dirname(folder));

/**
 * The folder of this package: the nearest one with a `package.json`, seen from `src/` and from `dist/src/`.
 */
export const packageRoot = nearestPackage(dirname(fileURLToPath(import.meta.url)));

const { resolve } = createRequire(import.meta.url);

/**
 * The path of a file of another package. The build copies the few files that are served or printed with to
 * `dist/files`, so that an installation does not need the rest of those packages; in development there may be
 * no build.
 */
export const findPackageFile = (name: string, file: string): string => {
  const copy = join(packageRoot, 'dist/files', name, file);
  return existsSync(copy) ? copy : join(dirname(resolve(`${name}/package.json`)), file);
};
