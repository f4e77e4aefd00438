import type { Path } from '../../../../src/contract/source.js';

/** breaking: a client that works today may fail. risky: some clients may. compatible: none should. */
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
  /** Where it stands in the new contract, or what it would stand in: `openapi.yaml:120:7`. */
  readonly at: string;
}

/** Takes down the changes of one operation. */
export type Note = (severity: Severity, id: string, text: string, location: Path) => void;

/** A value as it stands in a sentence. */
export const written = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

/** What went, what came and what stayed of a list whose elements have keys. */
export const compareLists = <T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (element: T) => string,
): { readonly removed: T[]; readonly added: T[]; readonly kept: (readonly [was: T, is: T])[] } => {
  const [had, has] = [before, after].map((list) => new Map(list.map((one) => [keyOf(one), one])));
  return {
    removed: before.filter((one) => !has?.has(keyOf(one))),
    added: after.filter((one) => !had?.has(keyOf(one))),
    kept: after.flatMap((is) => {
      const was = had?.get(keyOf(is));
      return was === undefined ? [] : [[was, is] as const];
    }),
  };
};
