import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../../../src/lib/collections.js';
import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { scopesOf } from '../target/keys.js';
import { compareLists, type Change, type Note } from './change.js';
import { compareOperation } from './compareOperation.js';

/** What a client can notice of the way from one contract to another. */
export const compareContracts = (before: ContractModel, after: ContractModel): Change[] => {
  const changes: Change[] = [];
  const noteFor =
    (operation: string | undefined): Note =>
    (severity, id, text, location) => {
      changes.push({ severity, id, operation, text, at: after.at(location) });
    };
  compareSchemes(before, after, noteFor(undefined));
  const nameOf = ({ method, path }: OperationModel): string => `${method} ${path}`;
  const { removed, added, kept } = compareLists(before.operations, after.operations, nameOf);
  for (const was of removed)
    noteFor(nameOf(was))('breaking', 'operation-removed', 'the operation was removed', ['paths']);
  for (const [was, is] of kept) compareOperation(was, is, scopesOf(after), noteFor(nameOf(is)));
  for (const is of added)
    noteFor(nameOf(is))('compatible', 'operation-added', 'the operation was added', is.location);
  return merge(changes);
};

/** Security schemes that changed or went, for the whole contract. */
const compareSchemes = (before: ContractModel, after: ContractModel, note: Note): void => {
  const schemesOf = ({ loaded }: ContractModel) =>
    Object.entries(loaded.resolved.components.securitySchemes ?? {});
  const at = (name: string) => ['components', 'securitySchemes', name];
  const effect = (scheme: object): object => ({ ...scheme, description: undefined });
  const { removed, kept } = compareLists(schemesOf(before), schemesOf(after), ([name]) => name);
  for (const [name] of removed)
    note('breaking', 'security-scheme-removed', `the security scheme '${name}' was removed`, at(name));
  for (const [[name, was], [, is]] of kept)
    if (!isDeepStrictEqual(effect(was), effect(is)))
      note('breaking', 'security-scheme-changed', `the security scheme '${name}' changed`, at(name));
};

/** A change in a shared component is one change, however many operations use it. */
const merge = (changes: readonly Change[]): Change[] => {
  const groups = groupBy(changes, ({ severity, id, at, text }) =>
    // Sentences about the same place of a component differ only in the status.
    JSON.stringify([severity, id, at, text.replace(/\b(the )?\d{3} /g, '')]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ? [first] : [];
    const operations = new Set([first, ...others].map(({ operation }) => operation));
    const where = operations.size > 1 ? `${operations.size} operations` : `${others.length + 1} places`;
    return [{ ...first, text: `${first.text} (and the same in all ${where} that share it)` }];
  });
};
