import type { Readable } from 'node:stream';
import { Problem } from '../errors/problem.js';

/** How many files one user may download at a time: tables and PDFs, each of which may hold all vouchers. */
const maxFilesPerUser = 4;
/** Most files are complete by then. */
const retryAfterS = 5;

/**
 * Makes a file for a user. It counts until it was sent or given up. Throws `Problem` when the user has as many as one may
 * have: otherwise a single user could make everybody else wait, and fill the memory.
 */
export type LimitFiles = (userId: number, make: () => Promise<Readable>) => Promise<Readable>;

export const makeLimitFiles = (): LimitFiles => {
  const filesOf = new Map<number, number>();

  const release = (userId: number): void => {
    const left = (filesOf.get(userId) ?? 1) - 1;
    if (left > 0) filesOf.set(userId, left);
    else filesOf.delete(userId);
  };

  return async (userId, make) => {
    const files = filesOf.get(userId) ?? 0;
    if (files >= maxFilesPerUser)
      throw new Problem('rate_limited', {}, { 'Retry-After': String(retryAfterS) });
    filesOf.set(userId, files + 1);
    try {
      const file = await make();
      if (file.closed) release(userId);
      else file.once('close', () => release(userId));
      return file;
    } catch (error) {
      release(userId);
      throw error;
    }
  };
};
