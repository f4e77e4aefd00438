import { isObject, withCommonParameters } from '../../../../src/contract/document.js';
import { pointerOf } from '../../../../src/contract/source.js';
import type { ContractModel } from '../contract.js';
import { jsonFields, jsonList } from '../json.js';

type Json = Record<string, unknown>;

/**
 * What `/openapi.php` says of a contract, but for the address of the server, with references resolved. Worked out from
 * the rules of docs/contract.md and without the code of the service that makes the description.
 */
export const expectedDescription = ({ loaded }: ContractModel): Json => {
  // As it is written: in `loaded.resolved` each discriminator has become the alternatives that it chooses from.
  const written = jsonFields(resolveReferences(loaded.document, jsonFields(loaded.document)));
  const { openapi, info, security, components } = written;
  const { title, version, description } = jsonFields(info);
  const paths: Record<string, Json> = {};
  for (const { location, method } of loaded.operations.values()) {
    const path = String(location[1]);
    const item = jsonFields(jsonFields(written['paths'])[path]);
    const operation = withCommonParameters(jsonFields(item[method]), item['parameters']);
    paths[path] = { ...paths[path], [method]: withoutExtensions(describedOperation(operation)) };
  }
  const { securitySchemes } = jsonFields(components);
  return withoutAbsent({
    openapi,
    info: withoutAbsent({ title, version, description }),
    security,
    paths,
    components: { securitySchemes },
  });
};

/** A served description in the same form. Throws when a reference leads nowhere. */
export const resolvedDescription = (served: Json): Json => {
  const { servers: _, components, ...rest } = served;
  const { schemas: _schemas, ...others } = jsonFields(components);
  return resolveReferences({ ...rest, components: others }, served) as Json;
};

/** A schema that leads back to itself has a reference where it begins again. */
const resolveReferences = (node: unknown, document: Json, open: readonly string[] = []): unknown => {
  if (Array.isArray(node)) return node.map((item) => resolveReferences(item, document, open));
  if (!isObject(node)) return node;
  const { $ref: reference } = node;
  if (typeof reference !== 'string')
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, resolveReferences(value, document, open)]),
    );
  if (open.includes(reference)) return node;
  const target = pointerOf(reference)?.reduce<unknown>((inside, name) => jsonFields(inside)[name], document);
  if (target === undefined) throw new Error(`$ref ${reference} leads to nothing`);
  return resolveReferences(target, document, [...open, reference]);
};

const describedOperation = ({ tags: _, ...operation }: Json): Json => {
  const parameters = jsonList(operation['parameters']).filter(
    (one) => jsonFields(one)['x-described'] !== false,
  );
  const listed = operation['x-described'];
  const responses = Object.entries(jsonFields(operation['responses']))
    .filter(([status]) => listed === undefined || jsonList(listed).includes(Number(status)))
    .map(([status, response]) => {
      const { headers: _headers, ...shown } = jsonFields(response);
      return [status, shown];
    });
  return withoutAbsent({
    ...operation,
    parameters: parameters.length > 0 ? parameters : undefined,
    responses: Object.fromEntries(responses) as Json,
  });
};

const withoutAbsent = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Values that clients send or get: their fields may have any name. */
const values = ['example', 'examples', 'default', 'enum'];

/** Nor bounds that the service applies itself: no client can run into them. */
const withoutExtensions = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutExtensions);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !name.startsWith('x-'))
      .filter(([name]) => name !== 'minimum' || node['x-below-minimum'] === undefined)
      .filter(([name]) => name !== 'maximum' || node['x-above-maximum'] === undefined)
      .map(([name, value]) => {
        if (values.includes(name)) return [name, value];
        if (name !== 'properties') return [name, withoutExtensions(value)];
        const fields = Object.entries(jsonFields(value)).map(([field, schema]) => [
          field,
          withoutExtensions(schema),
        ]);
        return [name, Object.fromEntries(fields)];
      }),
  );
};
