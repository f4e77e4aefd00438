import { type Path, type Refuse, pointerOf } from './source.js';

/** An example under a name. */
interface NamedExample {
  value?: unknown;
}

/** What a body, a parameter or a header looks like. */
export interface Described {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, NamedExample>;
}

export interface Parameter extends Described {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  required?: boolean;
  schema: Schema;
  'x-described'?: boolean;
}

export interface Header extends Described {
  required?: boolean;
}

export interface Response {
  description: string;
  headers?: Record<string, Header>;
  content?: Record<string, Described>;
  'x-error'?: string;
  'x-message'?: string;
}

export interface OperationObject {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: {
    content: { 'application/json': Described & { schema: Schema } };
    'x-max-bytes': number;
  };
  responses: Record<string, Response>;
  'x-scope': string;
  'x-described'?: number[];
}

type SecurityScheme =
  | { type: 'http'; scheme: string }
  | { type: 'apiKey'; name: string; in: 'query' | 'header' | 'cookie' };

/** A contract as far as the service reads it, once its structure is checked. */
export interface ContractDocument {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  components: { securitySchemes?: Record<string, SecurityScheme> };
  paths: Record<string, Record<string, OperationObject>>;
}

/** The value of a header as it is sent. */
export const headerText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const jsonMedia = 'application/json';
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The part of a JSON schema, with our extension keys, that the contract's own rules are made of. */
export interface Schema {
  type?: 'integer' | 'string' | 'object' | 'array' | 'boolean' | 'number';
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  example?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  'x-lenient'?: boolean;
  'x-leading-number'?: boolean;
  'x-trim'?: boolean;
  'x-below-minimum'?: 'default' | 'minimum';
  'x-above-maximum'?: 'maximum';
  'x-otherwise'?: 'absent' | 'empty';
  'x-message'?: string | Record<string, string>;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy with every reference replaced by what it refers to. */
export const resolveReferences = (document: unknown, refuse: Refuse): unknown => {
  const known = new Map<string, unknown>();
  const open: string[] = [];

  const follow = (reference: string, path: Path): unknown => {
    if (known.has(reference)) return known.get(reference);
    const pointer =
      pointerOf(reference) ??
      refuse(path, `$ref "${reference}" does not begin with #/: it must stay within the file`);
    if (open.includes(reference))
      refuse(path, `$ref "${reference}" leads back to itself; recursive schemas are not supported`);
    const target = pointer.reduce<unknown>(
      (node, name) => (isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined),
      document,
    );
    if (target === undefined) refuse(path, `$ref "${reference}" leads to nothing`);
    open.push(reference);
    const value = walk(target, pointer);
    open.pop();
    known.set(reference, value);
    return value;
  };

  const walk = (node: unknown, path: Path): unknown => {
    if (Array.isArray(node)) return node.map((item: unknown, index) => walk(item, [...path, index]));
    if (!isObject(node)) return node;
    if (typeof node['$ref'] === 'string') return follow(node['$ref'], [...path, '$ref']);
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, walk(value, [...path, name])]),
    );
  };
  return walk(document, []);
};

const isNode = (value: unknown): value is Record<string, unknown> => Array.isArray(value) || isObject(value);
