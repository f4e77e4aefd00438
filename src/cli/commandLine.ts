import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { packageRoot } from '../lib/packageRoot.js';
import { sanitizeLine } from './io.js';

/** A text as one word of a command line that a person may copy: a name may hold quotes, and a site's anything. */
export const toShellWord = (text: string): string => {
  const shown = sanitizeLine(text);
  if (/^[\w.:/-]+$/.test(shown)) return shown;
  return toQuotedWord(shown);
};

/** The same, always in quotes: a name reads better in them. */
export const toQuotedWord = (text: string): string => {
  const shown = sanitizeLine(text);
  return /["$`\\!]/.test(shown) ? `'${shown.replaceAll("'", "'\\''")}'` : `"${shown}"`;
};

/** Where a command will be pasted. */
interface Shell {
  /** The variable PATH. */
  readonly path: string;
  readonly cwd: string;
  /** The folder of this package. */
  readonly root: string;
}

/** How this program is called there: by its name where it is installed, through npx in a checkout. */
export const findProgramName = ({ path, cwd, root }: Shell): string => {
  const script = join(root, 'scripts', 'voucherd.mjs');
  const installed = path
    .split(delimiter)
    // npm adds these to the PATH of what it runs; the shell that it was called from does not have them.
    .filter((folder) => folder !== '' && !folder.endsWith(join('node_modules', '.bin')))
    .map((folder) => join(folder, 'voucherd'))
    .find(isExecutable);
  if (installed !== undefined && realpathSync(installed) === realpathSync(script)) return 'voucherd';
  // Another one may be installed beside this checkout: here it is this one that was called.
  if (!relative(root, cwd).startsWith('..') || isLocalBinary(cwd)) return 'npx voucherd';
  return installed === undefined ? `node ${toShellWord(script)}` : 'voucherd';
};

/** Does npx find it in this folder, or in one above it? */
const isLocalBinary = (folder: string): boolean =>
  isExecutable(join(folder, 'node_modules', '.bin', 'voucherd')) ||
  (dirname(folder) !== folder && isLocalBinary(dirname(folder)));

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

let cachedProgramName: string | undefined;

/** A command of this program as a person can paste it: `npx voucherd site list`. */
export const formatCommandLine = (command: string): string => {
  cachedProgramName ??= findProgramName({
    path: process.env['PATH'] ?? '',
    cwd: process.cwd(),
    root: packageRoot,
  });
  return `${cachedProgramName} ${command}`;
};
