import { isDeepStrictEqual } from 'node:util';
import type { Contract } from './contract.js';

/** What another contract changes of the operations: their operationIds. */
export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Compares two contracts, operation by operation. */
export const changesBetween = (before: Contract, after: Contract): Changes => {
  const [old, now] = [before.operations, after.operations];
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed: [...now.values()]
      .filter(({ id, place, written }) => {
        const other = old.get(id);
        return other && !isDeepStrictEqual([place, written], [other.place, other.written]);
      })
      .map(({ id }) => id),
  };
};
