import { CodedError, type ErrorKind } from '../errors/codedError.js';

/**
 * Why a backup was not made or not restored. The message says what to do;
 * nothing has changed unless it says so.
 */
export class BackupError extends CodedError<BackupErrorCode> {
  override readonly name = 'BackupError';

  constructor(code: BackupErrorCode, message: string, cause?: unknown) {
    super(code, message, { kind: backupErrorKinds[code], ...(cause !== undefined && { cause }) });
  }
}

type BackupErrorCode = keyof typeof backupErrorKinds;

export const backupErrorKinds = {
  /** It is there already, and is not overwritten. */
  'target-exists': 'refused',
  'target-unusable': 'invalid',
  'disk-full': 'unavailable',
  'disk-failed': 'unavailable',
  'database-damaged': 'unavailable',
  'key-missing': 'refused',
  'rotation-interrupted': 'refused',
  /** There is no such file, or this user may not read it. */
  'file-unreadable': 'invalid',
  'backup-invalid': 'invalid',
  'backup-damaged': 'invalid',
  'checksum-differs': 'invalid',
} as const satisfies Readonly<Record<string, ErrorKind>>;
