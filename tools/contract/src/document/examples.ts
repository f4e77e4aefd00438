import type { ParameterLocation } from '../../../../src/contract/document.js';
import type { Path } from '../../../../src/contract/source.js';
import type { DescribedModel, OperationModel } from './operations.js';
import type { SchemaModel } from './schemaModel.js';

/** A value of the contract with the schema that it must fit. */
interface WrittenValue {
  readonly operationId: string;
  /** What it is a value of: `query site_id`, `body "family"`, `201 header ETag`. */
  readonly title: string;
  readonly value: unknown;
  readonly schema: SchemaModel | undefined;
  /** Where it stands. */
  readonly location: Path;
}

/** One example of the contract. */
export interface Example extends WrittenValue {
  readonly kind: 'parameter' | 'request' | 'response' | 'header';
  /** The parameter or header; `body` for a request or a response. */
  readonly name: string;
  /** Of a parameter. */
  readonly in?: ParameterLocation;
  /** Of a response or of its header. */
  readonly status: number | undefined;
}

interface Place {
  readonly kind: Example['kind'];
  readonly name: string;
  readonly in?: ParameterLocation;
  readonly subject: string;
  readonly status?: number;
  readonly described: DescribedModel;
}

/** Everything that an operation describes by a schema: parameters, request, then responses with their headers. */
const placesOf = ({ parameters, requestBody, responses }: OperationModel): Place[] => [
  ...parameters.map((one) => ({
    kind: 'parameter' as const,
    name: one.name,
    in: one.in,
    subject: `${one.in} ${one.name}`,
    described: one,
  })),
  ...(requestBody
    ? [{ kind: 'request' as const, name: 'body', subject: 'body', described: requestBody }]
    : []),
  ...responses.flatMap(({ key, status, headers, bodies }) => [
    ...bodies.map((body) => ({
      kind: 'response' as const,
      name: 'body',
      subject: bodies.length > 1 ? `${key} body as ${body.mediaType}` : `${key} body`,
      status,
      described: body,
    })),
    ...headers.map((header) => ({
      kind: 'header' as const,
      name: header.name,
      subject: `${key} header ${header.name}`,
      status,
      described: header,
    })),
  ]),
];

/** The examples of an operation. */
export const collectExamples = (operation: OperationModel): Example[] =>
  placesOf(operation).flatMap(({ kind, name, in: place, subject, status, described }) =>
    described.examples.map((example) => ({
      operationId: operation.id,
      kind,
      name,
      ...(place && { in: place }),
      title: example.name ? `${subject} "${example.name}"` : subject,
      status,
      value: example.value,
      schema: described.schema,
      location: example.location,
    })),
  );

/** Examples and defaults that stand in the schemas of an operation. */
export const collectSchemaValues = (operation: OperationModel): WrittenValue[] =>
  placesOf(operation).flatMap(({ subject, described: { schema, location } }) =>
    valuesIn(schema, [...location, 'schema'], subject).map((one) => ({ ...one, operationId: operation.id })),
  );

const valuesIn = (
  schema: SchemaModel | undefined,
  location: Path,
  name: string,
): Omit<WrittenValue, 'operationId'>[] => {
  if (!schema) return [];
  const inner = (
    keys: readonly (string | number)[],
    field: unknown,
    own: string,
  ): ReturnType<typeof valuesIn> => valuesIn(field as SchemaModel | undefined, [...location, ...keys], own);
  return [
    ...(['example', 'default'] as const).flatMap((kind) =>
      kind in schema
        ? [{ title: `${name}, ${kind}`, value: schema[kind], schema, location: [...location, kind] }]
        : [],
    ),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
      inner(['properties', key], field, `${name} ${key}`),
    ),
    ...(schema.items ? inner(['items'], schema.items, `${name}[]`) : []),
    ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((keyword) =>
      (schema[keyword] ?? []).flatMap((part, index) => inner([keyword, index], part, name)),
    ),
  ];
};
