import type { FilePosition } from '../document/positions.js';

/**
 * breaking: a client that works today may fail. risky: some clients may. compatible: none should.
 * These are oasdiff's levels ERR, WARN and INFO.
 */
export type Severity = 'breaking' | 'risky' | 'compatible';

/** One difference between two contracts that a client can notice. */
export interface Change {
  readonly severity: Severity;
  /** What kind of change it is: `response-property-removed`. */
  readonly id: string;
  /** `POST /vouchers.php`; undefined for what belongs to no operation. */
  readonly operation: string | undefined;
  /** A sentence without a full stop. */
  readonly text: string;
  /** Where it stands in the new contract, or what it would stand in. */
  readonly pointer?: string;
  /** The same as line and column, where that is what is known. */
  readonly position?: FilePosition;
}

/** Which way a value travels decides what a change means: a request may become wider, a response narrower. */
export type Direction = 'request' | 'response';

/** Takes down the changes of one operation. */
export type Note = (severity: Severity, id: string, text: string, pointer?: string) => void;
