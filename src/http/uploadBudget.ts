/** How many bytes of uploads may be in memory, of all requests together. */
export interface UploadBudget {
  /** Counts bytes that have come. False when there are too many: then nothing is counted. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

export const makeUploadBudget = (maxBytes: number): UploadBudget => {
  let reserved = 0;
  return {
    reserve: (bytes) => {
      if (reserved + bytes > maxBytes) return false;
      reserved += bytes;
      return true;
    },
    release: (bytes) => {
      reserved -= bytes;
    },
  };
};

/** All contracts of a process share its memory. */
export const processUploadBudget = makeUploadBudget(256 * 1024 * 1024);
