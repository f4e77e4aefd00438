import type {
  DescribedModel,
  OperationModel,
  ParameterModel,
  ResponseModel,
} from '../document/operations.js';
import type { Direction, Note } from './change.js';
import { compareSchemas } from './compareSchemas.js';

/** Compares an operation that both contracts have. */
export const compareOperation = (before: OperationModel, after: OperationModel, note: Note): void => {
  if (before.id !== after.id) {
    const text = `the operationId changed from ${before.id} to ${after.id}; generated clients name their methods after it`;
    note('risky', 'operation-id-changed', text, [...after.location, 'operationId']);
  }
  compareAccess(before, after, note);
  compareParameters(before, after, note);
  compareRequestBody(before, after, note);
  for (const was of before.responses) {
    const is = after.responses.find(({ status }) => status === was.status);
    if (is) compareResponse(was, is, note);
    else {
      const location = [...after.location, 'responses'];
      note('breaking', 'response-status-removed', `the status ${was.status} was removed`, location);
    }
  }
  for (const { status } of after.responses.filter(
    (is) => !before.responses.some((was) => was.status === is.status),
  ))
    note('compatible', 'response-status-added', `the status ${status} was added`, [
      ...after.location,
      'responses',
      String(status),
    ]);
};

/** Compares what two descriptions say of a value. */
const compareDescribed = (
  direction: Direction,
  was: DescribedModel,
  is: DescribedModel,
  what: string,
  note: Note,
): void => {
  const location = [...is.location, 'schema'];
  compareSchemas(was.schema ?? {}, is.schema ?? {}, { direction, what, location, note });
};

/** Scopes, and ways to authenticate that went, or that are needed where none was. `write` includes `read`. */
const compareAccess = (before: OperationModel, after: OperationModel, note: Note): void => {
  const at = after.location;
  if (before.scope !== after.scope) {
    const isLess = after.scope === 'read' && before.scope === 'write';
    const text = `the scope changed from ${before.scope ?? 'none'} to ${after.scope ?? 'none'}`;
    note(isLess ? 'compatible' : 'breaking', 'scope-changed', text, [...at, 'x-scope']);
  }
  const waysOf = ({ security }: OperationModel): string[] =>
    security.map((schemes) => [...schemes].sort().join(' and '));
  const [had, has] = [waysOf(before), waysOf(after)];
  if (had.length === 0 && has.length > 0) note('breaking', 'security-added', 'a key is now needed', at);
  if (had.length > 0 && has.length === 0)
    note('compatible', 'security-removed', 'no key is needed any more', at);
  if (had.length === 0 || has.length === 0) return;
  for (const way of had.filter((one) => !has.includes(one)))
    note('breaking', 'security-way-removed', `'${way}' is no longer a way to authenticate`, at);
  for (const way of has.filter((one) => !had.includes(one)))
    note('compatible', 'security-way-added', `'${way}' is a new way to authenticate`, at);
};

/** Names of headers have no case. */
const isSame = (one: ParameterModel, other: ParameterModel): boolean =>
  one.in === other.in &&
  (one.in === 'header' ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name);

/** Parameters that went, came, or changed. */
const compareParameters = (before: OperationModel, after: OperationModel, note: Note): void => {
  for (const was of before.parameters) {
    const what = `the ${was.in} parameter '${was.name}'`;
    const is = after.parameters.find((parameter) => isSame(was, parameter));
    if (!is) {
      note('breaking', 'request-parameter-removed', `${what} was removed`, after.location);
      continue;
    }
    noteRequired(was.required, is.required, what, 'request-parameter', is, note);
    compareDescribed('request', was, is, what, note);
  }
  for (const is of after.parameters.filter((one) => !before.parameters.some((was) => isSame(was, one))))
    noteAdded(is.required, `the ${is.in} parameter '${is.name}'`, 'request-parameter', is, note);
};

const noteRequired = (
  was: boolean,
  is: boolean,
  what: string,
  id: string,
  { location }: DescribedModel,
  note: Note,
): void => {
  if (was === is) return;
  const text = `${what} ${is ? 'is now required' : 'is no longer required'}`;
  note(is ? 'breaking' : 'compatible', `${id}-required-changed`, text, location);
};

const noteAdded = (
  required: boolean,
  what: string,
  id: string,
  { location }: DescribedModel,
  note: Note,
): void => {
  const text = `${what} was added${required ? ' and is required' : ''}`;
  note(required ? 'breaking' : 'compatible', `${id}-added`, text, location);
};

const compareRequestBody = (before: OperationModel, after: OperationModel, note: Note): void => {
  const [was, is] = [before.requestBody, after.requestBody];
  const what = 'the request body';
  if (was && !is) note('breaking', 'request-body-removed', `${what} was removed`, after.location);
  if (!was && is) noteAdded(is.required, 'a request body', 'request-body', is, note);
  if (!was || !is) return;
  noteRequired(was.required, is.required, what, 'request-body', is, note);
  // A contract without the key says nothing about the limit.
  const [from, to] = [was.maxBytes, is.maxBytes];
  if (from !== undefined && to !== undefined && from !== to) {
    const text = `${what}: x-max-bytes changed from ${from} to ${to}`;
    note(to < from ? 'breaking' : 'compatible', 'request-body-limit-changed', text, is.location);
  }
  noteMediaType('request', was, is, what, note);
  compareDescribed('request', was, is, what, note);
};

const noteMediaType = (
  direction: Direction,
  was: { readonly mediaType: string },
  is: DescribedModel & { readonly mediaType: string },
  what: string,
  note: Note,
): void => {
  if (was.mediaType === is.mediaType) return;
  const text = `${what}: the media type changed from ${was.mediaType} to ${is.mediaType}`;
  note('breaking', `${direction}-media-type-changed`, text, is.location);
};

const compareResponse = (was: ResponseModel, is: ResponseModel, note: Note): void => {
  const what = `the ${is.status} response`;
  if (was.errorCode !== is.errorCode) {
    const text = `${what}: x-error changed from ${was.errorCode ?? 'none'} to ${is.errorCode ?? 'none'}`;
    note(
      was.errorCode === undefined ? 'compatible' : 'breaking',
      'response-error-changed',
      text,
      is.location,
    );
  }
  if (was.body && !is.body)
    note('breaking', 'response-body-removed', `${what} has no body any more`, is.location);
  if (!was.body && is.body) note('compatible', 'response-body-added', `${what} has a body now`, is.location);
  if (was.body && is.body) {
    noteMediaType('response', was.body, is.body, what, note);
    compareDescribed('response', was.body, is.body, what, is.status >= 400 ? softened(note) : note);
  }
  for (const header of was.headers) {
    const same = is.headers.find(({ name }) => name.toLowerCase() === header.name.toLowerCase());
    const named = `the header ${header.name} of ${what}`;
    if (same) compareDescribed('response', header, same, named, note);
    else {
      const severity = header.required ? 'breaking' : 'risky';
      note(severity, 'response-header-removed', `${named} was removed`, is.location);
    }
  }
};

/** A new code comes with every new error; clients treat one that they do not know by its status. */
const softened =
  (note: Note): Note =>
  (severity, id, ...rest) =>
    note(id === 'response-enum-value-added' ? 'risky' : severity, id, ...rest);
