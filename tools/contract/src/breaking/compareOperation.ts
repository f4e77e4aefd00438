import type {
  DescribedModel,
  OperationModel,
  ParameterModel,
  ResponseModel,
} from '../document/operations.js';
import { scopePermits } from '../target/keys.js';
import type { Direction } from '../../../../src/contract/dialects/direction.js';
import { compareLists, type Note } from './change.js';
import { compareSchemas } from './compareSchemas.js';

/** Compares an operation that both contracts have. */
export const compareOperation = (
  before: OperationModel,
  after: OperationModel,
  scopes: readonly string[],
  note: Note,
): void => {
  const { location } = after;
  if (before.id !== after.id) {
    const text = `the operationId changed from ${before.id} to ${after.id}; generated clients name their methods after it`;
    note('risky', 'operation-id-changed', text, [...location, 'operationId']);
  }
  compareAccess(before, after, scopes, note);
  compareParameters(before, after, note);
  compareRequestBody(before, after, note);
  const { removed, added, kept } = compareLists(before.responses, after.responses, ({ key }) => key);
  for (const { key } of removed)
    note('breaking', 'response-status-removed', `the status ${key} was removed`, [...location, 'responses']);
  for (const [was, is] of kept) compareResponse(was, is, note);
  for (const is of added)
    note('compatible', 'response-status-added', `the status ${is.key} was added`, is.location);
};

/** Scopes, and ways to authenticate that went, or that are needed where none was. */
const compareAccess = (
  before: OperationModel,
  after: OperationModel,
  scopes: readonly string[],
  note: Note,
): void => {
  const at = after.location;
  if (before.scope !== after.scope) {
    const isLess = before.scope !== undefined && scopePermits(scopes, before.scope, after.scope);
    const text = `the scope changed from ${before.scope ?? 'none'} to ${after.scope ?? 'none'}`;
    note(isLess ? 'compatible' : 'breaking', 'scope-changed', text, [...at, 'x-scope']);
  }
  const [had = [], has = []] = [before, after].map(({ security }) =>
    security.map((schemes) => schemes.toSorted().join(' and ')),
  );
  if (had.length === 0 || has.length === 0) {
    if (has.length > 0) note('breaking', 'security-added', 'a key is now needed', at);
    if (had.length > 0) note('compatible', 'security-removed', 'no key is needed any more', at);
    return;
  }
  const { removed, added } = compareLists(had, has, (way) => way);
  for (const way of removed)
    note('breaking', 'security-way-removed', `'${way}' is no longer a way to authenticate`, at);
  for (const way of added)
    note('compatible', 'security-way-added', `'${way}' is a new way to authenticate`, at);
};

/** Something that a request may or must have. */
interface RequestPart extends DescribedModel {
  readonly required: boolean;
}

const compareRequired = (was: RequestPart, is: RequestPart, what: string, id: string, note: Note): void => {
  if (was.required === is.required) return;
  const text = `${what} ${is.required ? 'is now required' : 'is no longer required'}`;
  note(is.required ? 'breaking' : 'compatible', `${id}-required-changed`, text, is.location);
};

const noteAdded = ({ required, location }: RequestPart, what: string, id: string, note: Note): void => {
  const text = `${what} was added${required ? ' and is required' : ''}`;
  note(required ? 'breaking' : 'compatible', `${id}-added`, text, location);
};

const compareParameters = (before: OperationModel, after: OperationModel, note: Note): void => {
  const id = 'request-parameter';
  const nameOf = (one: ParameterModel): string => `the ${one.in} parameter '${one.name}'`;
  const { removed, added, kept } = compareLists(before.parameters, after.parameters, (one) =>
    // Names of headers have no case.
    one.in === 'header' ? nameOf(one).toLowerCase() : nameOf(one),
  );
  for (const was of removed) note('breaking', `${id}-removed`, `${nameOf(was)} was removed`, after.location);
  for (const [was, is] of kept) {
    compareRequired(was, is, nameOf(was), id, note);
    compareDescribed('request', was, is, nameOf(was), note);
  }
  for (const is of added) noteAdded(is, nameOf(is), id, note);
};

const compareRequestBody = (before: OperationModel, after: OperationModel, note: Note): void => {
  const [was, is] = [before.requestBody, after.requestBody];
  const what = 'the request body';
  if (was && !is) note('breaking', 'request-body-removed', `${what} was removed`, after.location);
  if (!was && is) noteAdded(is, 'a request body', 'request-body', note);
  if (!was || !is) return;
  compareRequired(was, is, what, 'request-body', note);
  // A contract without the key says nothing about the limit.
  const [from, to] = [was.maxBytes, is.maxBytes];
  if (from !== undefined && to !== undefined && from !== to) {
    const text = `${what}: x-max-bytes changed from ${from} to ${to}`;
    note(to < from ? 'breaking' : 'compatible', 'request-body-limit-changed', text, is.location);
  }
  compareDescribed('request', was, is, what, note);
};

const compareResponse = (was: ResponseModel, is: ResponseModel, note: Note): void => {
  const what = `the ${is.key} response`;
  const { location } = is;
  if (was.errorCode !== is.errorCode) {
    const text = `${what}: x-error changed from ${was.errorCode ?? 'none'} to ${is.errorCode ?? 'none'}`;
    note(was.errorCode === undefined ? 'compatible' : 'breaking', 'response-error-changed', text, location);
  }
  compareBodies(was, is, what, is.status >= 400 ? softened(note) : note);
  const { removed, kept } = compareLists(was.headers, is.headers, ({ name }) => name.toLowerCase());
  for (const { name, required } of removed) {
    const text = `the header ${name} of ${what} was removed`;
    note(required ? 'breaking' : 'risky', 'response-header-removed', text, location);
  }
  for (const [had, has] of kept)
    compareDescribed('response', had, has, `the header ${had.name} of ${what}`, note);
};

const compareBodies = (was: ResponseModel, is: ResponseModel, what: string, note: Note): void => {
  const { location } = is;
  if (was.body && !is.body)
    note('breaking', 'response-body-removed', `${what} has no body any more`, location);
  if (!was.body && is.body) note('compatible', 'response-body-added', `${what} has a body now`, location);
  if (!was.body || !is.body) return;
  if (was.bodies.length === 1 && is.bodies.length === 1) {
    compareDescribed('response', was.body, is.body, what, note);
    return;
  }
  const { removed, added, kept } = compareLists(was.bodies, is.bodies, ({ mediaType }) => mediaType);
  for (const { mediaType } of removed)
    note('breaking', 'response-media-type-removed', `${what} is no longer given as ${mediaType}`, location);
  for (const { mediaType } of added)
    note('compatible', 'response-media-type-added', `${what} is also given as ${mediaType}`, location);
  for (const [had, has] of kept) compareDescribed('response', had, has, `${what} as ${has.mediaType}`, note);
};

/** A new code comes with every new error; clients treat one that they do not know by its status. */
const softened =
  (note: Note): Note =>
  (severity, id, ...rest) =>
    note(id === 'response-enum-value-added' ? 'risky' : severity, id, ...rest);

/** Compares what two descriptions say of a value; bodies also have a media type. */
const compareDescribed = (
  direction: Direction,
  was: DescribedModel & { readonly mediaType?: string },
  is: DescribedModel & { readonly mediaType?: string },
  what: string,
  note: Note,
): void => {
  if (was.mediaType !== is.mediaType) {
    const text = `${what}: the media type changed from ${was.mediaType ?? ''} to ${is.mediaType ?? ''}`;
    note('breaking', `${direction}-media-type-changed`, text, is.location);
  }
  const location = [...is.location, 'schema'];
  compareSchemas(was.schema ?? {}, is.schema ?? {}, { direction, what, location, note });
};
