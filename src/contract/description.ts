import type { Contract } from './contract.js';
import { methods } from './document.js';
import { isObject } from './schema.js';

/** What `/openapi.php` and `/openapi.yaml` serve, but for the address of the server. */
export interface Description {
  json(serverUrl: string): string;
  yaml(serverUrl: string): string;
}

type Json = Record<string, unknown>;

/** Works out the served descriptions once; only the server's address differs from answer to answer. */
export const describe = (contract: Contract): Description => {
  const described = project(contract.document as unknown as Json);
  const [start, end] = contract.serverUrl;
  return {
    json: (url) => JSON.stringify({ ...described, servers: [{ url }] }, null, 4),
    yaml: (url) => contract.source.slice(0, start) + JSON.stringify(url) + contract.source.slice(end),
  };
};

/** Exactly what the specification lists: the described statuses and parameters, without extension keys. */
const project = (document: Json): Json => {
  const components = document['components'] as Record<string, Json>;
  const { securitySchemes, schemas = {} } = components;
  const resolve = (node: unknown): Json => {
    const reference = (node as Json)['$ref'];
    if (typeof reference !== 'string') return node as Json;
    const [kind = '', name = ''] = reference.split('/').slice(-2);
    return components[kind]?.[name] as Json;
  };
  const paths = mapValues(document['paths'], (item) =>
    Object.fromEntries(
      Object.entries(item as Json)
        .filter(([name]) => methods.includes(name))
        .map(([method, operation]) => [method, describeOperation(operation as Json, resolve)]),
    ),
  );
  const { title, version, description } = document['info'] as Json;
  const used = new Set<string>();
  collectSchemas(paths, schemas, used);
  return {
    openapi: document['openapi'],
    info: { title, version, description },
    servers: [],
    security: document['security'],
    paths: withoutExtensions(paths),
    components: {
      securitySchemes,
      schemas: withoutExtensions(
        Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
      ),
    },
  };
};

const describeOperation = (operation: Json, resolve: (node: unknown) => Json): Json => {
  const { parameters, responses, tags: _tags, 'x-described': statuses, ...rest } = operation;
  const shown = ((parameters ?? []) as unknown[])
    .map(resolve)
    .filter((parameter) => parameter['x-described'] !== false);
  return {
    ...rest,
    ...(shown.length > 0 && { parameters: shown }),
    responses: Object.fromEntries(
      Object.entries(responses as Json)
        .filter(([status]) => statuses === undefined || (statuses as number[]).includes(Number(status)))
        .map(([status, response]) => {
          const { headers: _headers, ...described } = resolve(response);
          return [status, described];
        }),
    ),
  };
};

const collectSchemas = (node: unknown, schemas: Json, used: Set<string>): void => {
  if (Array.isArray(node))
    node.forEach((item) => {
      collectSchemas(item, schemas, used);
    });
  if (!isObject(node)) return;
  const reference = node['$ref'];
  if (
    typeof reference === 'string' &&
    reference.startsWith('#/components/schemas/') &&
    !used.has(nameOf(reference))
  ) {
    used.add(nameOf(reference));
    collectSchemas(schemas[nameOf(reference)], schemas, used);
  }
  Object.values(node).forEach((value) => {
    collectSchemas(value, schemas, used);
  });
};

/** A bound that the service applies by itself, instead of refusing a value, is no bound for a client. */
const withoutExtensions = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutExtensions);
  if (!isObject(node)) return node;
  const hidden = [node['x-below-minimum'] && 'minimum', node['x-above-maximum'] && 'maximum'];
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !name.startsWith('x-') && !hidden.includes(name))
      .map(([name, value]) => [name, withoutExtensions(value)]),
  );
};

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const mapValues = (object: unknown, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object as Json).map(([name, value]) => [name, change(value)]));
