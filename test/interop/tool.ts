import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/built.js';

/** A file of a program that `npm run test:interop` installs. */
export const toolFile = (path: string): string => {
  const file = join(root, 'test/interop/node_modules', path);
  if (!existsSync(file)) throw new Error(`${file} does not exist: npm run test:interop installs it`);
  return file;
};
