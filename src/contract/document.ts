import type { Messages } from './standardMessages.js';
import { type Path, type Refuse, pointerOf } from './source.js';

export type { ReplyHeaders } from './exchange.js';

/** An example under a name. */
interface NamedExample {
  value?: unknown;
}

/** What a body, a parameter or a header looks like. */
export interface Described {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, NamedExample>;
  /** Of a form: how its fields are written, by their names. */
  encoding?: Record<string, Encoding>;
}

export interface Encoding {
  style?: string;
  explode?: boolean;
  contentType?: string;
}

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter extends Described {
  name: string;
  in: ParameterLocation;
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema: Schema;
  /**
   * Instead of a schema, of a value that is written as JSON.
   * A loaded contract has its schema as that of the parameter.
   */
  content?: Record<string, Described>;
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
    required?: boolean;
    content: Record<string, Described>;
    /** A mock does without. */
    'x-max-bytes'?: number;
  };
  responses: Record<string, Response>;
  security?: SecurityRequirement[];
  'x-scope'?: string;
  'x-described'?: number[];
}

/** The schemes that are needed together. */
export type SecurityRequirement = Record<string, string[]>;

/** How a request says who it is from: the kinds that are supported. */
export type SecurityScheme =
  | { type: 'http'; scheme: string }
  | { type: 'oauth2'; flows: Record<never, never> }
  | { type: 'openIdConnect'; openIdConnectUrl: string }
  | { type: 'apiKey'; name: string; in: 'query' | 'header' | 'cookie' };

/** A contract as far as the service reads it, once its structure is checked. */
export interface ContractDocument {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string; variables?: Record<string, { default: string }> }[];
  'x-scopes'?: readonly string[];
  'x-message'?: string;
  'x-messages'?: Partial<Messages>;
  /** Are errors problem details of RFC 9457? A text is the address of their types, with `{code}` in it. */
  'x-problem'?: true | string;
  security?: SecurityRequirement[];
  components: { securitySchemes?: Record<string, SecurityScheme> };
  /** Of a loaded contract: what is left of its references leads here. */
  'x-recursive'?: RecursiveSchemas;
  /** Are there fields that only requests or only responses have? Then schemas differ between them. */
  'x-directed'?: boolean;
  paths: Record<string, Record<string, OperationObject>>;
}

/** Is it a value of `x-problem`? */
export const isProblemForm = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && value.includes('{code}'));

/** The value of a header as it is sent. */
export const headerText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const jsonMedia = 'application/json';

/** JSON itself, or something written in it: `application/merge-patch+json`. */
export const isJsonMedia = (media: string): boolean => media === jsonMedia || media.endsWith('+json');

/** A media type without its parameters. */
export const mediaTypeOf = (contentType: string | undefined): string | undefined =>
  contentType?.split(';')[0]?.trim().toLowerCase();

/** The JSON among media types, the first where there are several. */
export const jsonContentOf = (
  content: Readonly<Record<string, Described>> | undefined,
): { readonly media: string; readonly described: Described } | undefined => {
  const [media, described] = Object.entries(content ?? {}).find(([name]) => isJsonMedia(name)) ?? [];
  return media !== undefined && described ? { media, described } : undefined;
};

export const formMedia = 'application/x-www-form-urlencoded';

export const multipartMedia = 'multipart/form-data';

/** Media types whose bodies are the fields of a form. */
export const isFormMedia = (media: string): boolean => media === formMedia || media === multipartMedia;

/** Media types whose bodies are validated: those that have fields. */
export const hasFields = (media: string): boolean => isJsonMedia(media) || isFormMedia(media);

/** Media types whose bodies have parts, which would have to fit their schema, and are not read. */
export const isUnvalidated = (media: string): boolean =>
  media.startsWith('multipart/') && media !== multipartMedia;

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The part of a JSON schema, with our extension keys, that the contract's own rules are made of. */
export interface Schema {
  /** Of a schema that begins again here: its name among the recursive ones. */
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  not?: Schema;
  /** Of a loaded contract: each schema of `oneOf` begins with the values of the field that choose it. */
  discriminator?: { propertyName: string };
  items?: Schema;
  additionalProperties?: boolean | Schema;
  nullable?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  format?: string;
  pattern?: string;
  type?: 'integer' | 'string' | 'object' | 'array' | 'boolean' | 'number' | 'null';
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  example?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  /** In OpenAPI 3.0: is the bound beside it not allowed itself? In 3.1 a bound of its own. */
  exclusiveMinimum?: boolean | number;
  exclusiveMaximum?: boolean | number;
  /**
   * Of OpenAPI 3.1, like the next ones: lists of other examples, and what fields that are not named may be.
   */
  examples?: unknown[];
  prefixItems?: Schema[];
  patternProperties?: Record<string, Schema>;
  unevaluatedProperties?: boolean | Schema;
  dependentSchemas?: Record<string, Schema>;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  contentMediaType?: string;
  contentEncoding?: string;
  /** Of a field of a loaded `multipart/form-data`: it is a file with so many bytes. */
  'x-file'?: { readonly minLength: number; readonly maxLength: number };
  'x-sorted-by'?: string;
  'x-lenient'?: boolean;
  'x-leading-number'?: boolean;
  'x-trim'?: boolean;
  'x-below-minimum'?: 'default' | 'minimum';
  'x-above-maximum'?: 'maximum';
  'x-otherwise'?: 'absent' | 'empty';
  'x-message'?: string | Record<string, string>;
}

/** Are its schemas those of JSON Schema 2020-12? */
export const isOpenApi31 = ({ openapi }: { readonly openapi?: unknown }): boolean =>
  /^3\.1\.\d+$/.test(String(openapi));

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parameters of a path belong to each of its operations, unless one describes the same itself. */
export const withCommonParameters = <T>(operation: T, common: unknown): T => {
  if (!isObject(operation) || !Array.isArray(common) || common.length === 0) return operation;
  const own = (operation['parameters'] ?? []) as Parameter[];
  const added = (common as Parameter[]).filter(
    (parameter) => !own.some(({ name, in: place }) => name === parameter.name && place === parameter.in),
  );
  return { ...operation, parameters: [...added, ...own] };
};

/**
 * Schemas that lead back to themselves, by the names that references to them have. Everything else in a
 * loaded contract is without references; where a schema begins again, it has one of these.
 */
export type RecursiveSchemas = Readonly<Record<string, Schema>>;

const recursionTargets = new WeakMap<object, Schema>();

/** What a schema that only says that another one begins again stands for; `undefined` for any other. */
export const recursionTarget = (schema: object): Schema | undefined => recursionTargets.get(schema);

/** Lets `recursionTarget` know the references in a value. */
export const linkRecursion = (value: unknown, recursive: RecursiveSchemas): void => {
  const seen = new Set<unknown>();
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isNode(next) || seen.has(next)) continue;
    seen.add(next);
    const { $ref: name } = next;
    const target = typeof name === 'string' ? recursive[name] : undefined;
    if (target) recursionTargets.set(next, target);
    for (const field of Object.values(next)) if (isNode(field)) open.push(field);
  }
};

/** The schema together with those of its `allOf`, as one: all of them hold at once. */
export const mergeAllOf = (schema: Schema): Schema => {
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = [...allOf.map((part) => mergeAllOf(recursionTarget(part) ?? part)), own];
  const properties = Object.fromEntries(parts.flatMap((part) => Object.entries(part.properties ?? {})));
  const merged = Object.fromEntries(parts.flatMap((part) => Object.entries(part))) as Schema;
  return Object.keys(properties).length > 0 ? { ...merged, properties } : merged;
};

/** The same of a schema that may only say that another one begins again. */
export const mergedSchema = (schema: Schema): Schema => mergeAllOf(recursionTarget(schema) ?? schema);

/** An operation whose parameters that are JSON have the schemas of it. */
export const withParameterSchemas = (operation: OperationObject): OperationObject => {
  const { parameters } = operation;
  if (!parameters?.some(({ content }) => content)) return operation;
  const withSchema = (parameter: Parameter): Parameter => {
    const json = jsonContentOf(parameter.content)?.described;
    return json ? { ...parameter, ...json, schema: json.schema ?? {} } : parameter;
  };
  return { ...operation, parameters: parameters.map(withSchema) };
};

/** Why a `pattern` is no regular expression as JSON Schema has them; undefined when it is one. */
export const patternFault = (pattern: unknown): string | undefined => {
  if (typeof pattern !== 'string') return 'it is no text';
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Gives a part of a document with every reference in it replaced by what it refers to. */
export type ResolveReferences = (node: unknown, path: Path) => unknown;

interface ResolveOptions {
  /** Knows what is wrong with references to other files. */
  readonly faultOf?: ((node: object) => Error | undefined) | undefined;
  /**
   * Gets the schemas that lead back to themselves, by name.
   * Where they begin again, a reference to the name is left.
   */
  readonly onRecursion: (name: string, schema: unknown, pointer: Path) => void;
  /** Is a schema better referred to by a name, too, than repeated wherever it is used? */
  readonly isLarge: (schema: unknown) => boolean;
}

const isOfSchemas = (path: Path): boolean => path.includes('schema') || path.includes('schemas');

export const makeResolveReferences = (
  document: unknown,
  refuse: Refuse,
  { faultOf, onRecursion, isLarge }: ResolveOptions,
): ResolveReferences => {
  const known = new Map<string, unknown>();
  const open: string[] = [];
  const recursiveNames = new Map<string, string>();
  const keepsSiblings = isObject(document) && isOpenApi31(document);

  const nameOf = (reference: string, pointer: Path): string => {
    const name =
      recursiveNames.get(reference) ??
      `recursive:${String(recursiveNames.size + 1)}/${String(pointer.at(-1)).replaceAll(/\W/g, '_')}`;
    recursiveNames.set(reference, name);
    return name;
  };

  const follow = (reference: string, path: Path): unknown => {
    if (known.has(reference)) return known.get(reference);
    const pointer =
      pointerOf(reference) ?? refuse(path, `$ref "${reference}" does not begin with #/, and names no file`);
    if (open.includes(reference)) {
      if (!isOfSchemas(path)) refuse(path, `$ref "${reference}" leads back to itself`);
      return { $ref: nameOf(reference, pointer) };
    }
    const target = pointer.reduce<unknown>(
      (node, name) => (isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined),
      document,
    );
    if (target === undefined) refuse(path, `$ref "${reference}" leads to nothing`);
    open.push(reference);
    try {
      const value = walk(target, pointer);
      const isNamed = isOfSchemas(pointer) && isLarge(value);
      const name = isNamed ? nameOf(reference, pointer) : recursiveNames.get(reference);
      if (name !== undefined) onRecursion(name, value, pointer);
      const resolved = isNamed ? { $ref: name } : value;
      known.set(reference, resolved);
      return resolved;
    } finally {
      open.pop();
    }
  };

  const walk = (node: unknown, path: Path): unknown => {
    if (Array.isArray(node)) return node.map((item: unknown, index) => walk(item, [...path, index]));
    if (!isObject(node)) return node;
    const { $ref: reference, ...siblings } = node;
    if (typeof reference !== 'string') return walkFields(node, path);
    const fault = faultOf?.(node);
    if (fault) throw fault;
    const target = follow(reference, [...path, '$ref']);
    return keepsSiblings ? besideReference(target, walkFields(siblings, path)) : target;
  };
  const walkFields = (fields: Record<string, unknown>, path: Path): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, walk(value, [...path, name])]));
  return walk;
};

/**
 * Since OpenAPI 3.1 all that stands beside a reference holds, too: texts take precedence, rules are added.
 */
const besideReference = (target: unknown, siblings: Record<string, unknown>): unknown => {
  const names = Object.keys(siblings);
  if (names.length === 0 || !isObject(target)) return target;
  return names.every((name) => ['summary', 'description'].includes(name))
    ? { ...target, ...siblings }
    : { allOf: [target], ...siblings };
};

const isNode = (value: unknown): value is Record<string, unknown> => Array.isArray(value) || isObject(value);
