/** The strictest options of programs that use a client. */
export const strictOptions = {
  ...{ target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', moduleResolution: 'nodenext' },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  // The types of packages are checked, those of the compiler itself are not: they take most of the time.
  ...{ types: [], skipLibCheck: false, skipDefaultLibCheck: true },
};
