import { types } from 'node:util';

/** The code of an error of the operating system or of a database driver; empty when it has none. */
export const errorCode = (error: unknown): string =>
  types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
