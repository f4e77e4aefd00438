import { isObject, jsonMedia, methods, type ContractDocument } from './document.js';
import type { Path, Refuse } from './source.js';

const scopes = ['read', 'write'];
const places = ['query', 'header'];

/** Which values our extension keys may have, next to which types. */
const extensions = [
  { key: 'x-lenient', on: ['integer', 'string'], values: [true, false] },
  { key: 'x-leading-number', on: ['integer'], values: [true, false] },
  { key: 'x-trim', on: ['string'], values: [true, false] },
  { key: 'x-below-minimum', on: ['integer'], values: ['default', 'minimum'] },
  { key: 'x-above-maximum', on: ['integer'], values: ['maximum'] },
  { key: 'x-otherwise', on: ['object'], values: ['absent', 'empty'] },
] as const;

/** Refuses what the service could not serve as it is written. References must be resolved. */
export const checkStructure = (document: unknown, refuse: Refuse): ContractDocument => {
  const contract = makeCursor(document, refuse);
  contract.fields('the contract');
  const version = contract.field('openapi');
  if (!/^3\.0\.\d+$/.test(String(version.value)))
    version.refuse('openapi must be a version 3.0, such as 3.0.3');
  contract.field('info').field('title').text('info.title');
  contract.field('info').field('version').text('info.version');
  const [server] = contract.field('servers').items('servers');
  (server ?? contract.field('servers')).field('url').text('servers[0].url');
  contract.field('components').fields('components');
  const known = new Map<string, string>();
  for (const [path, item] of contract.field('paths').fields('paths')) checkPath(path, item, known);
  return document as ContractDocument;
};

const checkPath = (path: string, item: Cursor, known: Map<string, string>): void => {
  if (!path.startsWith('/')) item.refuse(`the path "${path}" must begin with /`);
  if (/[{}]/.test(path))
    item.refuse(`${path}: parameters in a path are not supported; put them into the query`);
  item.fields(path);
  if (item.has('parameters'))
    item.field('parameters').refuse(`${path}: parameters belong to each operation, not to the path`);
  for (const method of methods.filter((name) => item.has(name))) {
    const here = `${method.toUpperCase()} ${path}`;
    const operation = item.field(method);
    checkOperation(operation, here);
    const id = operation.field('operationId');
    const other = known.get(String(id.value));
    if (other !== undefined)
      id.refuse(`${here}: the operationId ${String(id.value)} belongs to ${other} already`);
    known.set(String(id.value), here);
  }
};

const checkOperation = (operation: Cursor, here: string): void => {
  operation.fields(here);
  const id = operation.field('operationId');
  if (!/^[a-z]\w*$/i.test(id.text(`${here}: operationId`)))
    id.refuse(`${here}: the operationId "${String(id.value)}" must be a name, such as listSites`);
  oneOf(operation.field('x-scope'), scopes, `${here}: x-scope`);
  if (operation.has('security'))
    operation
      .field('security')
      .refuse(`${here}: every operation needs a key; security of its own is not supported`);
  if (operation.has('parameters'))
    for (const parameter of operation.field('parameters').items(`${here}: parameters`))
      checkParameter(parameter, here);
  if (operation.has('requestBody')) checkRequestBody(operation.field('requestBody'), here);
  const responses = operation.field('responses');
  const statuses = responses.fields(`${here}: responses`);
  if (statuses.length === 0) responses.refuse(`${here}: there is no response`);
  for (const [status, response] of statuses) checkResponse(status, response, here);
};

const checkRequestBody = (body: Cursor, here: string): void => {
  checkExtensions(checkContent(body.field('content'), `${here}: requestBody`));
  const limit = body.field('x-max-bytes');
  if (limit.value === undefined) limit.refuse(`${here}: x-max-bytes of requestBody is missing`);
  if (!Number.isSafeInteger(limit.value) || Number(limit.value) < 1)
    limit.refuse(`${here}: x-max-bytes must be a whole number of bytes, at least 1`);
};

const checkParameter = (parameter: Cursor, here: string): void => {
  const name = parameter.field('name').text(`${here}: the name of a parameter`);
  oneOf(parameter.field('in'), places, `${here}: in, of the parameter ${name},`);
  const schema = parameter.field('schema');
  schema.fields(`${here}: the schema of ${name}`);
  checkExtensions(schema);
};

const checkResponse = (status: string, response: Cursor, here: string): void => {
  if (!/^[1-5]\d\d$/.test(status)) response.refuse(`${here}: "${status}" is no status of three digits`);
  response.fields(`${here}: ${status}`);
  for (const key of ['x-error', 'x-message'])
    if (response.has(key)) response.field(key).text(`${here}: ${key} of ${status}`);
  if (response.has('content')) checkContent(response.field('content'), `${here}: ${status}`);
};

/** Returns the schema. */
const checkContent = (content: Cursor, here: string): Cursor => {
  content.fields(`${here}: content`);
  if (!content.has(jsonMedia)) content.refuse(`${here}: ${jsonMedia} is missing, and nothing else is served`);
  const schema = content.field(jsonMedia).field('schema');
  schema.fields(`${here}: the schema`);
  return schema;
};

const checkExtensions = (schema: Cursor): void => {
  const type = schema.field('type').value;
  for (const { key, on, values } of extensions) {
    if (!schema.has(key)) continue;
    const extension = schema.field(key);
    oneOf(extension, values, key);
    if (!on.some((name) => name === type)) extension.refuse(`${key} belongs to the type ${on.join(' or ')}`);
    if (key === 'x-leading-number' && schema.field('x-lenient').value !== true)
      extension.refuse(`${key} needs x-lenient: true`);
    // The bound or the default that takes the place of a value.
    const needed = typeof extension.value === 'string' && on[0] === 'integer' ? extension.value : undefined;
    const bound = key === 'x-below-minimum' ? 'minimum' : 'maximum';
    for (const name of needed === undefined ? [] : [bound, needed])
      if (!schema.has(name)) extension.refuse(`${key}: ${String(extension.value)} needs a ${name}`);
  }
  checkMessage(schema.field('x-message'));
  if (!schema.has('properties')) return;
  for (const [name, field] of schema.field('properties').fields('properties')) {
    field.fields(name);
    checkExtensions(field);
  }
};

const checkMessage = (message: Cursor): void => {
  if (message.value === undefined || typeof message.value === 'string') return;
  for (const [keyword, text] of message.fields('x-message')) text.text(`x-message.${keyword}`);
};

const oneOf = (cursor: Cursor, allowed: readonly unknown[], what: string): void => {
  if (allowed.includes(cursor.value)) return;
  const given = cursor.value === undefined ? 'is missing' : `is ${JSON.stringify(cursor.value)}`;
  cursor.refuse(`${what} ${given}: one of ${allowed.map(String).join(', ')}`);
};

/** A value of a contract together with where it stands, so that whoever looks at it can refuse it there. */
interface Cursor {
  readonly value: unknown;
  refuse(what: string): never;
  /** What stands under a name, whether there is something or not. */
  field(name: string): Cursor;
  has(name: string): boolean;
  /** All fields. Refuses what is no object; `what` is what a person calls it. */
  fields(what: string): [name: string, field: Cursor][];
  /** All items. Refuses what is no list. */
  items(what: string): Cursor[];
  /** Refuses what is no text. */
  text(what: string): string;
}

const makeCursor = (value: unknown, refuseAt: Refuse, path: Path = []): Cursor => {
  const refuse = (what: string): never => refuseAt(path, what);
  const refuseType = (what: string, wanted: string): never =>
    refuse(value === undefined || value === null ? `${what} is missing` : `${what} must be ${wanted}`);
  const inner = (name: string | number, field: unknown): Cursor =>
    makeCursor(field, refuseAt, [...path, name]);
  const has = (name: string): boolean => isObject(value) && Object.hasOwn(value, name);
  return {
    value,
    refuse,
    has,
    field: (name) => inner(name, has(name) ? (value as Record<string, unknown>)[name] : undefined),
    fields: (what) =>
      isObject(value)
        ? Object.entries(value).map(([name, field]) => [name, inner(name, field)])
        : refuseType(what, 'an object'),
    items: (what) =>
      Array.isArray(value)
        ? value.map((item: unknown, index) => inner(index, item))
        : refuseType(what, 'a list'),
    text: (what) => (typeof value === 'string' && value !== '' ? value : refuseType(what, 'a text')),
  };
};
