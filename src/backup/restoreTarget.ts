import { lstatSync, statSync } from 'node:fs';
import { BackupError } from './backupError.js';

// SQLite takes a log or a journal beside a file for a part of it,
// and would write its pages into the restored one.
const besides = ['-wal', '-journal'];

/** Is there a file that is not empty? */
export const hasBytes = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Refuses a place where a database is, or a part of one. An empty file is none. */
export const assertNoDatabase = (target: string): void => {
  for (const file of [target, ...besides.map((end) => target + end)]) {
    if (hasBytes(file))
      throw new BackupError(
        'target-exists',
        `there is a database already: ${file} is not overwritten; restore into another folder, or move it away`,
      );
    assertNoLink(file);
  }
};

/** Refuses the place of a file that is made beside the database, where anything is. */
export const assertNothing = (target: string): void => {
  assertNoLink(target);
  const present = [target, ...besides.map((end) => target + end)].find((file) =>
    file === target ? lstatSync(file, { throwIfNoEntry: false }) : hasBytes(file),
  );
  if (present !== undefined)
    throw new BackupError(
      'target-exists',
      `${present} exists already: restore into another folder, or move it away`,
    );
};

/** One that leads nowhere, too: what is to be where it points would be here. */
const assertNoLink = (file: string): void => {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new BackupError(
      'target-exists',
      `${file} is a symbolic link, and is not replaced: restore into another folder, or remove it`,
    );
};
