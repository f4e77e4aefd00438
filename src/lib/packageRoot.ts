import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nearestPackage = (folder: string): string =>
  existsSync(join(folder, 'package.json')) || dirname(folder) === folder
    ? folder
    : nearestPackage(dirname(folder));

/** The folder of this package: the nearest one with a `package.json`, seen from `src/` and from `dist/src/`. */
export const packageRoot = nearestPackage(dirname(fileURLToPath(import.meta.url)));
