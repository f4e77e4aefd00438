import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const find = (folder: string): string =>
  existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : find(dirname(folder));

/** The checkout that this program belongs to, whether it runs from dist/ or from its sources. */
export const root = find(dirname(fileURLToPath(import.meta.url)));
