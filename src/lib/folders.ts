import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { types } from 'node:util';
import { errorCode } from './errorCode.js';

/** What a disk must have free, so that vouchers can be recorded for a while. */
export const minFreeBytes = 200e6;

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/**
 * Creates a folder, and those above it that are missing, each with `createOne`. Node's own recursive `mkdir`
 * never ends where an existing folder says of every new one that there is no such thing: /proc.
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
  ELOOP: 'a part of the path is a link to itself',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
};

/** Says why a file or a folder can't be created, or a folder not be written to. */
export const explainFolderError = (error: unknown, path: string): string =>
  errorCode(error) === 'ENOENT'
    ? explainMissing(failedPath(error) ?? path)
    : (folderErrors[errorCode(error)] ?? errorCode(error));

/** What the system call was about: of several folders that were to be created, the first one. */
const failedPath = (error: unknown): string | undefined =>
  types.isNativeError(error) && 'path' in error && typeof error.path === 'string' ? error.path : undefined;

const explainMissing = (path: string): string => {
  const [missing] = listMissingFolders(dirname(resolve(path)));
  return missing === undefined
    ? `the system lets nobody create anything in ${dirname(resolve(path))}`
    : `there is no folder ${missing}: create it first`;
};

/** The folders on the way to a folder, and itself, that do not exist, the uppermost first. */
export const listMissingFolders = (folder: string): string[] => {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.unshift(path);
  return missing;
};

/**
 * Returns how to remove those of these folders, and of the ones above them, that do not exist yet. Only empty
 * ones go.
 */
export const rememberMissingFolders = (...folders: readonly string[]): (() => void) => {
  const missing = [...new Set(folders.flatMap(listMissingFolders))].sort((a, b) => b.length - a.length);
  return () => {
    for (const folder of missing) {
      try {
        rmdirSync(folder);
      } catch {
        // It was not created, or somebody has put something into it.
      }
    }
  };
};
