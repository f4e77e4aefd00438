import { closeSync, readdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { publishFile } from '../lib/durableFiles.js';
import { errorCode } from '../lib/errorCode.js';
import { explainFolderError } from '../lib/folders.js';
import { createPrivateFile } from '../lib/privateFiles.js';
import { newId, type System } from '../lib/system.js';
import { BackupError } from './backupError.js';

/** Refuses a path where something is, or where nothing can be written. */
export const assertFree = (file: string): void => {
  const found = statIfAny(file);
  if (found?.isDirectory())
    throw new BackupError('target-exists', `${file} is a folder: name a file that does not exist yet`);
  if (found)
    throw new BackupError(
      'target-exists',
      `${file} exists already: it is not overwritten; name another file`,
    );
};

const statIfAny = (file: string): Stats | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw cannotCreate(file, error);
  }
};

const cannotCreate = (file: string, error: unknown): BackupError =>
  new BackupError(
    'target-unusable',
    `${file.slice(0, 300)} can't be created: ${explainFolderError(error, file)}`,
  );

/**
 * Writes a file beside its final name, for this user alone, and gives it that name when the work is done.
 * When the work fails, nothing is left; a process that is killed leaves the file that `findLeftOvers` finds.
 * After `onPublished` the file is there, even if an error of the disk follows.
 */
export const writeNewFile = async <T>(
  file: string,
  system: System,
  work: (written: string) => Promise<T>,
  onPublished: () => void = () => undefined,
): Promise<T> => {
  const written = `${file}.${newId(system)}.partial`;
  try {
    closeSync(createPrivateFile(written));
  } catch (error) {
    throw cannotCreate(file, error);
  }
  try {
    const result = await work(written);
    publish(written, file, onPublished);
    return result;
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm', '.lock']) rmSync(`${written}${end}`, { force: true });
  }
};

const publish = (written: string, file: string, onPublished: () => void): void => {
  try {
    publishFile(written, file, onPublished);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new BackupError(
      'target-exists',
      `${file} was created by somebody else meanwhile: it is not overwritten`,
    );
  }
};

/** What killed processes have left beside a file. */
export const findLeftOvers = (file: string): string[] => {
  const name = basename(file);
  try {
    return readdirSync(dirname(file))
      .filter(
        (other) =>
          other.startsWith(`${name}.`) &&
          /^\.[0-9a-f]{32}\.partial(?:-journal)?$/.test(other.slice(name.length)),
      )
      .map((other) => join(dirname(file), other));
  } catch {
    return [];
  }
};
