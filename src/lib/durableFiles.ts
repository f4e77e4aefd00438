import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
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

/** What file systems that sync no folders answer. */
const noFolderSync = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'];

/** Makes a created, renamed or removed file name durable, where the file system can. */
export const syncFolderOf = (file: string): void => {
  try {
    sync(dirname(file));
  } catch (error) {
    if (!noFolderSync.includes(errorCode(error))) throw error;
  }
};

/** What file systems without hard links, such as those of USB sticks, answer. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/**
 * Gives a written file its final name, durably: it appears there complete or not at all (without hard links,
 * empty for a moment). Throws `EEXIST` when there is something of that name, and never replaces it. After
 * `onPublished` the file is there, even if an error follows.
 */
export const publishFile = (
  written: string,
  file: string,
  onPublished: () => void = () => undefined,
): void => {
  sync(written);
  const isLinked = linkIfPossible(written, file);
  if (!isLinked) renameToNew(written, file);
  onPublished();
  if (isLinked) rmSync(written);
  syncFolderOf(file);
};

/** Gives a file a second name, which must not exist. False where the file system has no hard links. */
export const linkIfPossible = (written: string, file: string): boolean => {
  try {
    linkSync(written, file);
    return true;
  } catch (error) {
    if (noLinks.includes(errorCode(error))) return false;
    throw error;
  }
};

/** Takes the name first, with an empty file, because renaming replaces what is there. */
const renameToNew = (written: string, file: string): void => {
  closeSync(openSync(file, 'wx', 0o600));
  try {
    renameSync(written, file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
};
