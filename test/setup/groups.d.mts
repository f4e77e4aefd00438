/** The names of all groups, in the order in which they run. */
export const groups: readonly string[];

/** The group of a test file, whose path begins below `test/`; undefined when no beginning fits. */
export const groupOf: (path: string) => string | undefined;
