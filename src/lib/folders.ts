import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from './errorCode.js';

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/**
 * Creates a folder, and those above it that are missing, each with `createOne`. Node's own recursive `mkdir` never ends
 * where an existing folder says of every new one that there is no such thing: /proc.
 */
export const createFolder = (folder: string, createOne: (path: string) => void = mkdirSync): void => {
  const path = resolve(folder);
  try {
    createOne(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !existsSync(dirname(path))) {
      createFolder(dirname(path), createOne);
      // Another process may have been faster.
      createFolder(path, createOne);
    } else if (!isFolder(path)) throw error;
  }
};

/** The folder itself, or the nearest one above it that exists: where a missing one would be created. */
export const nearestFolder = (folder: string): string => {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return path;
    if (found) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
    if (path === dirname(path)) return path;
  }
};

/** Why a folder can't be used, by the code of the system. */
const folderErrors: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  EEXIST: 'there is something else of that name',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'the system makes no folders there',
  ELOOP: 'a part of the path is a link to itself',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
};

/** Says why a folder can't be created or written to. */
export const explainFolderError = (error: unknown): string =>
  folderErrors[errorCode(error)] ?? errorCode(error);
