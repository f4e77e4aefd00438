/** What to call when all files have run: something that files of one process share, as a browser, ends then. */
export const sharedEnds = [];
