import { isDeepStrictEqual } from 'node:util';
import type { ContractModel } from '../../contract.js';
import { jsonFields, jsonList, pointer } from '../../document/json.js';
import type { OperationModel } from '../../document/types.js';
import type { Note } from '../change.js';

/** Which keys an operation asks for: its own list, or that of the whole contract. */
const alternatives = (contract: ContractModel, { resolved }: OperationModel): string[] =>
  jsonList(resolved['security'] ?? contract.document['security']).map((one) =>
    Object.entries(jsonFields(one))
      .map(([name, scopes]) => [name, ...jsonList(scopes)].join(' '))
      .sort()
      .join(' and '),
  );

/** Ways to authenticate that went, or that are needed where none was. */
export const compareSecurity = (
  before: { readonly contract: ContractModel; readonly operation: OperationModel },
  after: { readonly contract: ContractModel; readonly operation: OperationModel },
  note: Note,
): void => {
  const had = alternatives(before.contract, before.operation);
  const has = alternatives(after.contract, after.operation);
  const wasOpen = had.length === 0 || had.includes('');
  const isOpen = has.length === 0 || has.includes('');
  const at = after.operation.pointer;
  if (wasOpen && !isOpen) note('breaking', 'security-added', 'a key is now needed', at);
  if (!wasOpen && isOpen) note('compatible', 'security-removed', 'no key is needed any more', at);
  if (wasOpen || isOpen) return;
  for (const way of had.filter((one) => !has.includes(one))) {
    note('breaking', 'security-way-removed', `'${way}' is no longer a way to authenticate`, at);
  }
  for (const way of has.filter((one) => !had.includes(one))) {
    note('compatible', 'security-way-added', `'${way}' is a new way to authenticate`, at);
  }
};

/** What a key must be allowed to do. `write` includes `read`. */
export const compareScope = (before: OperationModel, after: OperationModel, note: Note): void => {
  if (before.scope === after.scope) return;
  const isLess = after.scope === 'read' && before.scope === 'write';
  const text = `the scope changed from ${before.scope ?? 'none'} to ${after.scope ?? 'none'}`;
  note(isLess ? 'compatible' : 'breaking', 'scope-changed', text, pointer(after.pointer, 'x-scope'));
};

/** Schemes that changed or went, for the whole contract. */
export const compareSchemes = (before: ContractModel, after: ContractModel, note: Note): void => {
  const schemes = ({ document }: ContractModel) =>
    jsonFields(jsonFields(document['components'])['securitySchemes']);
  const [had, has] = [schemes(before), schemes(after)];
  for (const [name, scheme] of Object.entries(had)) {
    const at = pointer('/components/securitySchemes', name);
    if (!(name in has))
      note('breaking', 'security-scheme-removed', `the security scheme '${name}' was removed`, at);
    else if (!isDeepStrictEqual(functional(scheme), functional(has[name]))) {
      note('breaking', 'security-scheme-changed', `the security scheme '${name}' changed`, at);
    }
  }
};

const functional = (scheme: unknown): object => {
  const { description: _description, ...rest } = jsonFields(scheme);
  return rest;
};
