import { types } from 'node:util';
import { CodedError } from '../errors/codedError.js';
import { errorCode } from '../lib/errorCode.js';

/** Why the database can't be used: it does not answer, or it answers and can't be written, like a standby. */
export type UnavailableCode = 'unreachable' | 'read-only';

/**
 * The database can't be reached, does not answer in time, or can't be written. No request is to
 * blame. The message is for the log and may name host and port; clients learn only the code.
 */
export class DatabaseUnavailable extends CodedError<UnavailableCode> {
  override readonly name: string = 'DatabaseUnavailable';

  constructor(code: UnavailableCode, message: string, cause?: unknown) {
    super(code, message, { kind: 'unavailable', cause });
  }
}

/** A statement took longer than it may, or waited too long for others. The database itself still answers. */
export class DatabaseTimeout extends DatabaseUnavailable {
  override readonly name = 'DatabaseTimeout';
}

/**
 * Did it wait in vain, for a lock or for a connection? Then it has changed nothing, and may be tried again.
 */
export const waitedInVain = (error: unknown): boolean =>
  error instanceof DatabaseTimeout ||
  errorCode(error) === 'SQLITE_BUSY' ||
  (types.isNativeError(error) && error.name === 'KnexTimeoutError');
