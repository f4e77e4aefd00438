import type { ContractModel } from '../../contract.js';
import { pointer } from '../../document/json.js';
import type { DescribedModel, OperationModel, ParameterModel, ResponseModel } from '../../document/types.js';
import type { Direction, Note } from '../change.js';
import { compareSchemas } from './schema.js';
import { compareScope, compareSecurity } from './security.js';

/** Compares an operation that both contracts have. */
export const compareOperation = (
  contracts: { readonly before: ContractModel; readonly after: ContractModel },
  before: OperationModel,
  after: OperationModel,
  note: Note,
): void => {
  const bodies: CompareBodies = (direction, was, is, what, noteBody = note) =>
    compareSchemas(
      { ...contracts, direction, note: noteBody },
      {
        before: contracts.before.reader.at(was.schemaPointer),
        after: contracts.after.reader.at(is.schemaPointer),
      },
      what,
    );
  if (before.id !== after.id) {
    const text = `the operationId changed from ${before.id} to ${after.id}; generated clients name their methods after it`;
    note('risky', 'operation-id-changed', text, pointer(after.pointer, 'operationId'));
  }
  compareScope(before, after, note);
  compareSecurity(
    { contract: contracts.before, operation: before },
    { contract: contracts.after, operation: after },
    note,
  );
  compareParameters(before, after, bodies, note);
  compareRequestBody(before, after, bodies, note);
  compareResponses(before, after, bodies, note);
};

/** Compares what two descriptions say of a value. */
type CompareBodies = (
  direction: Direction,
  was: DescribedModel,
  is: DescribedModel,
  what: string,
  note?: Note,
) => void;

const compareRequestBody = (
  before: OperationModel,
  after: OperationModel,
  bodies: CompareBodies,
  note: Note,
): void => {
  const [was, is] = [before.requestBody, after.requestBody];
  if (was && !is) note('breaking', 'request-body-removed', 'the request body was removed', after.pointer);
  if (!was && is) {
    const text = `a request body was added${is.required ? ' and is required' : ''}`;
    note(is.required ? 'breaking' : 'compatible', 'request-body-added', text, is.pointer);
  }
  if (!was || !is) return;
  if (was.required !== is.required) {
    const text = `the request body ${is.required ? 'is now required' : 'is no longer required'}`;
    note(is.required ? 'breaking' : 'compatible', 'request-body-required-changed', text, is.pointer);
  }
  // A contract without the key says nothing about the limit.
  const [from, to] = [was.maxBytes, is.maxBytes];
  if (from !== undefined && to !== undefined && from !== to) {
    const text = `the request body: x-max-bytes changed from ${from} to ${to}`;
    note(to < from ? 'breaking' : 'compatible', 'request-body-limit-changed', text, is.pointer);
  }
  compareMediaType('request', was.mediaType, is.mediaType, 'the request body', is.pointer, note);
  bodies('request', was, is, 'the request body');
};

const compareResponses = (
  before: OperationModel,
  after: OperationModel,
  bodies: CompareBodies,
  note: Note,
): void => {
  for (const was of before.responses) {
    const is = after.responses.find(({ status }) => status === was.status);
    if (is) compareResponse(was, is, bodies, note);
    else {
      const at = pointer(after.pointer, 'responses');
      note('breaking', 'response-status-removed', `the status ${was.status} was removed`, at);
    }
  }
  for (const is of after.responses.filter(
    ({ status }) => !before.responses.some((was) => was.status === status),
  )) {
    const at = pointer(after.pointer, 'responses', is.status);
    note('compatible', 'response-status-added', `the status ${is.status} was added`, at);
  }
};

const compareResponse = (was: ResponseModel, is: ResponseModel, bodies: CompareBodies, note: Note): void => {
  const what = `the ${is.status} response`;
  if (was.errorCode !== is.errorCode) {
    const text = `${what}: x-error changed from ${was.errorCode ?? 'none'} to ${is.errorCode ?? 'none'}`;
    note(was.errorCode === undefined ? 'compatible' : 'breaking', 'response-error-changed', text, is.pointer);
  }
  if (was.body && !is.body)
    note('breaking', 'response-body-removed', `${what} has no body any more`, is.pointer);
  if (!was.body && is.body) note('compatible', 'response-body-added', `${what} has a body now`, is.pointer);
  if (was.body && is.body) {
    compareMediaType('response', was.body.mediaType, is.body.mediaType, what, is.body.pointer, note);
    bodies('response', was.body, is.body, what, is.status >= 400 ? softened(note) : note);
  }
  for (const header of was.headers) {
    const same = is.headers.find(({ name }) => name.toLowerCase() === header.name.toLowerCase());
    const named = `the header ${header.name} of ${what}`;
    if (same) bodies('response', header, same, named);
    else {
      note(
        header.required ? 'breaking' : 'risky',
        'response-header-removed',
        `${named} was removed`,
        is.pointer,
      );
    }
  }
};

/** A new code comes with every new error; clients treat one that they do not know by its status. */
const softened =
  (note: Note): Note =>
  (severity, id, ...rest) =>
    note(id === 'response-enum-value-added' ? 'risky' : severity, id, ...rest);

const compareMediaType = (
  direction: Direction,
  was: string,
  is: string,
  what: string,
  at: string,
  note: Note,
): void => {
  if (was === is) return;
  note(
    'breaking',
    `${direction}-media-type-changed`,
    `${what}: the media type changed from ${was} to ${is}`,
    at,
  );
};

/** Names of headers have no case. */
const same = (one: ParameterModel, other: ParameterModel): boolean =>
  one.in === other.in &&
  (one.in === 'header' ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name);

/** Parameters that went, came, or changed. */
const compareParameters = (
  before: OperationModel,
  after: OperationModel,
  bodies: CompareBodies,
  note: Note,
): void => {
  for (const was of before.parameters) {
    const what = `the ${was.in} parameter '${was.name}'`;
    const is = after.parameters.find((parameter) => same(was, parameter));
    if (!is) {
      note('breaking', 'request-parameter-removed', `${what} was removed`, after.pointer);
      continue;
    }
    if (was.required !== is.required) {
      const text = `${what} ${is.required ? 'is now required' : 'is no longer required'}`;
      note(is.required ? 'breaking' : 'compatible', 'request-parameter-required-changed', text, is.pointer);
    }
    bodies('request', was, is, what);
  }
  for (const is of after.parameters.filter(
    (parameter) => !before.parameters.some((was) => same(was, parameter)),
  )) {
    const text = `the ${is.in} parameter '${is.name}' was added${is.required ? ' and is required' : ''}`;
    note(is.required ? 'breaking' : 'compatible', 'request-parameter-added', text, is.pointer);
  }
};
