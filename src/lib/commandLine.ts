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

/**
 * The settings that say where the data is, as words before a command, when they are set here: a shell in
 * which they are not set would work elsewhere. An address with a password is left out, because it must not be
 * shown.
 */
export const formatPlace = (env: Readonly<Record<string, string | undefined>>): string =>
  ['DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE']
    .flatMap((name) => {
      const value = env[name];
      const mayBeShown = name !== 'DATABASE_URL' || !mayHoldPassword(value ?? '');
      return value && mayBeShown ? [`${name}=${toShellWord(value)} `] : [];
    })
    .join('');

/** A colon before the last `@` is that of a password. */
const mayHoldPassword = (address: string): boolean => {
  if (address.startsWith('sqlite:')) return false;
  const rest = address.slice(address.indexOf('://') + '://'.length);
  return rest.slice(0, rest.lastIndexOf('@') + 1).includes(':') || /pass/i.test(address);
};

/** Where the commands below work; undefined means where this process does. */
let dataDirOfHints: string | undefined;

/** Words something about data in another folder: the commands in it name that folder. */
export const withHintsFor = <T>(dataDir: string, word: () => T): T => {
  dataDirOfHints = dataDir;
  try {
    return word();
  } finally {
    dataDirOfHints = undefined;
  }
};

/**
 * A command of this program as it can be pasted: `npx voucherd site list`, with the place of the data where
 * that is set.
 */
export const formatCommandLine = (command: string): string => {
  const place = dataDirOfHints === undefined ? process.env : { DATA_DIR: dataDirOfHints };
  return `${formatPlace(place)}${formatProgramCall(command)}`;
};

/** The same without the place of the data, for help texts. */
export const formatProgramCall = (command: string): string => {
  cachedProgramName ??= findProgramName({
    path: process.env['PATH'] ?? '',
    cwd: process.cwd(),
    root: packageRoot,
  });
  return `${cachedProgramName} ${command}`;
};
