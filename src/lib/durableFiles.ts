import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errorCode.js';

/** Makes the content of a file, or the names in a folder, durable. */
const sync = (path: string): void => {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** Makes a created, renamed or removed file name durable. */
export const syncFolderOf = (file: string): void => sync(dirname(file));

/** What file systems without hard links, such as those of USB sticks, answer. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Gives a written file its final name, durably: it appears there complete or not at all. Throws `EEXIST` when there is
 * something of that name, and never replaces it.
 */
export const publishFile = (written: string, file: string): void => {
  sync(written);
  try {
    linkSync(written, file);
    rmSync(written);
  } catch (error) {
    if (!noLinks.includes(errorCode(error))) throw error;
    if (existsSync(file)) throw Object.assign(new Error(`${file} exists`), { code: 'EEXIST' });
    renameSync(written, file);
  }
  syncFolderOf(file);
};
