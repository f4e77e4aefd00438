import type { ContractModel } from '../../contract.js';
import type { OperationModel } from '../../document/types.js';
import type { Change, Note } from '../change.js';
import { compareOperation } from './operation.js';
import { compareSchemes } from './security.js';

/** What a client can notice of the way from one contract to another. */
export const compareContracts = (before: ContractModel, after: ContractModel): Change[] => {
  const changes: Change[] = [];
  const noteFor =
    (operation: string | undefined): Note =>
    (severity, id, text, pointer) => {
      changes.push({ severity, id, operation, text, ...(pointer !== undefined && { pointer }) });
    };
  compareSchemes(before, after, noteFor(undefined));
  for (const was of before.operations) {
    const is = after.operations.find((operation) => nameOf(operation) === nameOf(was));
    const note = noteFor(nameOf(was));
    if (is) compareOperation({ before, after }, was, is, note);
    else note('breaking', 'operation-removed', 'the operation was removed', '/paths');
  }
  for (const is of after.operations) {
    if (before.operations.some((operation) => nameOf(operation) === nameOf(is))) continue;
    noteFor(nameOf(is))('compatible', 'operation-added', 'the operation was added', is.pointer);
  }
  return merge(changes);
};

const nameOf = ({ method, path }: OperationModel): string => `${method} ${path}`;

/** A change in a shared component is one change, however many operations use it. */
const merge = (changes: readonly Change[]): Change[] => {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    // Sentences about the same place of a component differ only in the status.
    const key = JSON.stringify([
      change.severity,
      change.id,
      change.pointer,
      change.text.replace(/\b(the )?\d{3} /g, ''),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    if (others.length === 0) return [first];
    const operations = new Set([first, ...others].map(({ operation }) => operation));
    const where = operations.size > 1 ? `${operations.size} operations` : `${others.length + 1} places`;
    return [{ ...first, text: `${first.text} (and the same in all ${where} that share it)` }];
  });
};
