import { STATUS_CODES } from 'node:http';
import { fillTemplate } from '../../lib/textTemplate.js';
import type { Contract, Operation } from '../contract.js';
import { jsonContentOf } from '../document.js';
import { responseFor } from '../responses.js';
import { serverPathOf } from '../serverPath.js';
import type { OperationRequest } from '../runtime/request.js';

type Fields = Readonly<Record<string, unknown>>;

/** An object with those of the fields with which it still fits. */
export const withFields = (object: Fields, fields: Fields, fits: (candidate: Fields) => boolean): Fields =>
  Object.entries(fields).reduce<Fields>((known, [name, value]) => {
    const candidate = { ...known, [name]: value };
    return fits(candidate) ? candidate : known;
  }, object);

/** What the service says in an error, as far as the contract tells: nothing for other answers. */
export const errorFields = (
  contract: Contract,
  { definition }: Operation,
  status: number,
  { path }: Pick<OperationRequest<unknown>, 'path'>,
): Fields | undefined => {
  const { 'x-error': code, 'x-message': text, content } = responseFor(definition.responses, status) ?? {};
  const message = text?.includes('{') ? undefined : text;
  if (jsonContentOf(content)?.media === 'application/problem+json') {
    const types = contract.resolved['x-problem'];
    return {
      type: typeof types === 'string' && code !== undefined ? fillTemplate(types, { code }) : 'about:blank',
      title: STATUS_CODES[status] ?? String(status),
      status,
      ...(message !== undefined && { detail: message }),
      instance: `${serverPathOf(contract)}${path}`,
    };
  }
  return code === undefined ? undefined : { error: code, ...(message !== undefined && { message }) };
};
