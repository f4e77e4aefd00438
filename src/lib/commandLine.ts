import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { sanitizeLine } from './label.js';
import { packageRoot } from './packageRoot.js';

/** A text as one word of a command line that can be pasted. Names may hold quotes, spaces and `$`. */
export const toShellWord = (text: string): string => {
  const shown = sanitizeLine(text);
  if (/^[\w.:/-]+$/.test(shown)) return shown;
  return toQuotedWord(shown);
};

/** The same, always quoted: names read better that way. */
export const toQuotedWord = (text: string): string => {
  const shown = sanitizeLine(text);
  return /["$`\\!]/.test(shown) ? `'${shown.replaceAll("'", "'\\''")}'` : `"${shown}"`;
};

/** Where a command will be pasted. */
interface Shell {
  readonly path: string;
  readonly cwd: string;
  /** The folder of this package. */
  readonly root: string;
}

/** How to call this program there: by its name where it is installed, through npx in a checkout. */
export const findProgramName = ({ path, cwd, root }: Shell): string => {
  const script = join(root, 'scripts', 'voucherd.mjs');
  const installed = path
    .split(delimiter)
    // npm adds these to the PATH of its scripts; the user's shell does not have them.
    .filter((folder) => folder !== '' && !folder.endsWith(join('node_modules', '.bin')))
    .map((folder) => join(folder, 'voucherd'))
    .find(isExecutable);
  if (installed !== undefined && realpathSync(installed) === realpathSync(script)) return 'voucherd';
  // In the checkout npx finds this copy, even where another one is installed.
  if (!relative(root, cwd).startsWith('..') || isLocalBinary(cwd)) return 'npx voucherd';
  return installed === undefined ? `node ${toShellWord(script)}` : 'voucherd';
};

/** Whether npx finds the program in this folder or in one above it. */
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

/** A command of this program as it can be pasted: `npx voucherd site list`. */
export const formatCommandLine = (command: string): string => {
  cachedProgramName ??= findProgramName({
    path: process.env['PATH'] ?? '',
    cwd: process.cwd(),
    root: packageRoot,
  });
  return `${cachedProgramName} ${command}`;
};
