import { isDeepStrictEqual } from 'node:util';
import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import type { Change, Note } from './change.js';
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
  for (const was of before.operations) {
    const is = after.operations.find((operation) => nameOf(operation) === nameOf(was));
    const note = noteFor(nameOf(was));
    if (is) compareOperation(was, is, note);
    else note('breaking', 'operation-removed', 'the operation was removed', ['paths']);
  }
  for (const is of after.operations) {
    if (before.operations.some((operation) => nameOf(operation) === nameOf(is))) continue;
    noteFor(nameOf(is))('compatible', 'operation-added', 'the operation was added', is.location);
  }
  return merge(changes);
};

const nameOf = ({ method, path }: OperationModel): string => `${method} ${path}`;

/** Security schemes that changed or went, for the whole contract. */
const compareSchemes = (before: ContractModel, after: ContractModel, note: Note): void => {
  const schemesOf = ({ loaded }: ContractModel) => loaded.resolved.components.securitySchemes ?? {};
  const [had, has] = [schemesOf(before), schemesOf(after)];
  const effect = (scheme: object): object => ({ ...scheme, description: undefined });
  for (const [name, scheme] of Object.entries(had)) {
    const [at, is] = [['components', 'securitySchemes', name], has[name]];
    if (!is) note('breaking', 'security-scheme-removed', `the security scheme '${name}' was removed`, at);
    else if (!isDeepStrictEqual(effect(scheme), effect(is)))
      note('breaking', 'security-scheme-changed', `the security scheme '${name}' changed`, at);
  }
};

/** A change in a shared component is one change, however many operations use it. */
const merge = (changes: readonly Change[]): Change[] => {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    // Sentences about the same place of a component differ only in the status.
    const { severity, id, at, text } = change;
    const key = JSON.stringify([severity, id, at, text.replace(/\b(the )?\d{3} /g, '')]);
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
