import type { Contract } from './contract.js';
import { isObject, methods, withCommonParameters, type OperationObject } from './document.js';
import { findParents } from './dialects/inheritance.js';
import { schemaMapKeywords } from './dialects/jsonSchema.js';
import { pointerOf } from './source.js';

/** What is served as JSON and as YAML, but for the address of the server. */
export interface Description {
  json(serverUrl: string): string;
  yaml(serverUrl: string): string;
}

type Json = Record<string, unknown>;

/**
 * Works out the served descriptions once, when one is asked for; only the server's address differs from
 * answer to answer. The JSON is the whole contract, or what `x-described` chooses of it.
 */
export const describeContract = (contract: Contract, { isWhole = false } = {}): Description => {
  let described: Json | undefined;
  return {
    json: (url) => {
      const document = contract.document as unknown as Json;
      described ??= isWhole ? document : project(document);
      return JSON.stringify({ ...described, servers: [{ url }] }, null, 4);
    },
    yaml: contract.sourceFor,
  };
};

/** What `x-described` chooses, or else everything, without extension keys. */
const project = (document: Json): Json => {
  const { openapi, info, security, paths: all, components } = inlineReferences(document, document) as Json;
  const { securitySchemes, schemas = {} } = (components ?? {}) as Record<string, Json>;
  const paths = mapValues(all, (item) =>
    Object.fromEntries(
      Object.entries(item as Json)
        .filter(([name]) => methods.includes(name))
        .map(([method, operation]) => [
          method,
          describeOperation(withCommonParameters(operation as OperationObject, (item as Json)['parameters'])),
        ]),
    ),
  );
  const { title, version, description } = info as Json;
  const used = new Set<string>();
  collectSchemas(paths, schemas, used, findParents(schemas));
  return {
    openapi,
    info: { title, version, description },
    servers: [],
    security,
    paths: withoutExtensions(paths),
    components: {
      securitySchemes,
      schemas: withoutExtensions(
        Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
      ),
    },
  };
};

/**
 * The name of a schema that a reference leads to: of all components only these are described by their names.
 */
const schemaNameOf = (reference: unknown): string | undefined => {
  const [root, kind, name, ...inside] = typeof reference === 'string' ? (pointerOf(reference) ?? []) : [];
  return root === 'components' && kind === 'schemas' && inside.length === 0 ? name : undefined;
};

/** The schema that a reference leads into. */
const partNameOf = (reference: unknown): string | undefined => {
  const [root, kind, name] = typeof reference === 'string' ? (pointerOf(reference) ?? []) : [];
  return root === 'components' && kind === 'schemas' ? name : undefined;
};

/** Inlines every other reference. Only an operation that a mock has left out may have a dangling one. */
const inlineReferences = (node: unknown, document: Json, open: readonly string[] = []): unknown => {
  if (Array.isArray(node)) return node.map((item) => inlineReferences(item, document, open));
  if (!isObject(node)) return node;
  const { $ref: reference } = node;
  if (typeof reference !== 'string' || schemaNameOf(reference) !== undefined)
    return mapValues(node, (value) => inlineReferences(value, document, open));
  // A schema that begins again is described where it stands.
  if (open.includes(reference)) return node;
  const target = pointerOf(reference)?.reduce<unknown>(
    (inside, name) => (isObject(inside) ? inside[name] : undefined),
    document,
  );
  return inlineReferences(target ?? {}, document, [...open, reference]);
};

const describeOperation = (operation: object): Json => {
  const { parameters, responses, tags: _tags, 'x-described': statuses, ...rest } = operation as Json;
  const shown = ((parameters ?? []) as Json[]).filter((parameter) => parameter['x-described'] !== false);
  return {
    ...rest,
    ...(shown.length > 0 && { parameters: shown }),
    responses: Object.fromEntries(
      Object.entries(responses as Record<string, Json>)
        .filter(([status]) => statuses === undefined || (statuses as number[]).includes(Number(status)))
        .map(([status, { headers: _headers, ...described }]) => [status, described]),
    ),
  };
};

const collectSchemas = (
  node: unknown,
  schemas: Json,
  used: Set<string>,
  parents: ReturnType<typeof findParents>,
): void => {
  if (Array.isArray(node))
    node.forEach((item) => {
      collectSchemas(item, schemas, used, parents);
    });
  if (!isObject(node)) return;
  const name = partNameOf(node['$ref']);
  // A schema that others inherit from stands for them, too.
  const children = name === undefined ? [] : (parents.get(name)?.children ?? []);
  for (const one of name === undefined ? [] : [name, ...children])
    if (!used.has(one)) {
      used.add(one);
      collectSchemas(schemas[one], schemas, used, parents);
    }
  Object.values(node).forEach((value) => {
    collectSchemas(value, schemas, used, parents);
  });
};

/** A bound that the service applies, instead of refusing a value, is no bound for a client. */
const withoutExtensions = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutExtensions);
  if (!isObject(node)) return node;
  const hidden = [node['x-below-minimum'] && 'minimum', node['x-above-maximum'] && 'maximum'];
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !name.startsWith('x-') && !hidden.includes(name))
      .map(([name, value]) => {
        if (clientValues.includes(name)) return [name, value];
        return [
          name,
          schemaMapKeywords.includes(name) ? mapValues(value, withoutExtensions) : withoutExtensions(value),
        ];
      }),
  );
};

/** Hold what clients send or get, whose fields may have any name. */
const clientValues = ['example', 'examples', 'default', 'enum', 'const'];

const mapValues = (object: unknown, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object as Json).map(([name, value]) => [name, change(value)]));
