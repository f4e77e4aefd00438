/** How many bytes of uploads may be in memory, of all requests together. */
export interface UploadBudget {
  /** Counts bytes that have come. False when there are too many: then nothing is counted. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

export const makeUploadBudget = (maxBytes: number): UploadBudget => {
  let taken = 0;
  return {
    take: (bytes) => {
      if (taken + bytes > maxBytes) return false;
      taken += bytes;
      return true;
    },
    giveBack: (bytes) => {
      taken -= bytes;
    },
  };
};

/** All contracts of a process share its memory. */
export const processUploadBudget = makeUploadBudget(256 * 1024 * 1024);
