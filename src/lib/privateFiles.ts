import { closeSync, constants, fchmodSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFolder } from './folders.js';

/**
 * What root makes in another user's folder belongs to that user: the service, which is not root, could not
 * open it otherwise. By descriptor and not by name: the other user may put a link there in the meantime.
 */
const giveToOwnerOfFolder = (opened: number, path: string, groupMode: number): void => {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid, mode } = statSync(dirname(path));
  if (uid === 0 && gid === 0) return;
  try {
    fchownSync(opened, uid, gid);
    const groupMayWrite = (mode & 0o020) !== 0;
    if (groupMayWrite) fchmodSync(opened, groupMode);
  } catch {
    // A file system without owners, or one that lets root change none: then nobody is locked out by them.
  }
};

const makeOneFolder = (folder: string): void => {
  mkdirSync(folder, { mode: 0o700 });
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  giveToOwnerOfFolder(opened, folder, 0o770);
  closeSync(opened);
};

/** Makes a folder, and those above it that are missing, for this user alone: vouchers are worth something. */
export const makePrivateFolder = (folder: string): void => {
  createFolder(folder, makeOneFolder);
};

/** Creates a file for this user alone, and opens it for writing. Throws when there is one. */
export const createPrivateFile = (file: string): number => {
  const opened = openSync(file, 'wx', 0o600);
  giveToOwnerOfFolder(opened, file, 0o660);
  return opened;
};

/**
 * Makes an empty file for this user alone; one that exists already stays as it is, and is not opened: closing
 * it again would release the locks that this process holds on it. What keeps it from being created is
 * reported by the code that opens it next.
 */
export const makePrivateFile = (file: string): void => {
  try {
    closeSync(createPrivateFile(file));
  } catch {
    return;
  }
};

/** 0 for what is not there: nobody can open it. */
const modeOf = (path: string): number => {
  try {
    return statSync(path).mode;
  } catch {
    return 0;
  }
};

const [othersMayEnter, othersMayReadOrWrite] = [0o001, 0o006];

/**
 * Would a file that this process makes there belong to root, because it runs as root and so does the folder?
 */
export const wouldBelongToRoot = (folder: string): boolean => {
  if (process.geteuid?.() !== 0) return false;
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  return owner === undefined ? wouldBelongToRoot(dirname(folder)) : owner === 0;
};

/**
 * Can every user of this machine read a file, or write to it? What a group may do is the operator's choice.
 */
export const isOpenToOthers = (file: string): boolean => {
  if (process.platform === 'win32') return false;
  return (modeOf(file) & othersMayReadOrWrite) !== 0 && (modeOf(dirname(file)) & othersMayEnter) !== 0;
};
