import { readFile } from 'node:fs/promises';
import { errorCode } from '../lib/errorCode.js';
import { CommandError } from './io.js';

/**
 * The error for a file that can't be read. `what` names it: the option, or the file itself where it is no
 * secret.
 */
export const fileUnreadable = (what: string, error: unknown): CommandError => {
  const code = errorCode(error) || 'unknown';
  return new CommandError(
    'file-unreadable',
    code === 'ENOENT' ? `${what} does not exist` : `${what} can not be read (${code})`,
  );
};

/** Reads a text file that an option names. */
export const readGivenFile = async (option: string, file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fileUnreadable(`${option}: "${file.slice(0, 300)}"`, error);
  }
};
