import { CodedError } from '../../errors/codedError.js';

/** Why a database is not copied; the message says what to do. */
export class CopyError extends CodedError<CopyErrorCode> {
  override readonly name = 'CopyError';
}

type CopyErrorCode =
  | 'earlier-version'
  | 'foreign-tables'
  | 'in-use'
  | 'not-empty'
  | 'other-source'
  | 'same-database'
  | 'schema-differs'
  | 'value-not-storable';
