import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder, and those above it that are missing, for this user alone: vouchers are worth something. */
export const makePrivateFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
};

/**
 * Makes an empty file for this user alone; one that exists already stays as it is, and is not opened: closing it
 * again would release the locks that this process holds on it. What keeps it from being made is met again, and told,
 * by whoever opens it next.
 */
export const makePrivateFile = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
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

/** Can every user of this machine read a file, or write to it? What a group may do is the operator's choice. */
export const isOpenToOthers = (file: string): boolean => {
  if (process.platform === 'win32') return false;
  return (modeOf(file) & othersMayReadOrWrite) !== 0 && (modeOf(dirname(file)) & othersMayEnter) !== 0;
};
