import type { DescribedModel, OperationModel, SchemaModel } from './types.js';

/** One example of the contract with the schema that it must fit. */
export interface Example {
  readonly operationId: string;
  readonly kind: 'parameter' | 'request' | 'response' | 'header';
  /** The parameter or header; `body` for a request or a response. */
  readonly name: string;
  /** What it is an example of: `query site_id`, `body`, `201 body`, `201 header ETag`. */
  readonly subject: string;
  /** The same with the name of one of several examples: `body "family"`. */
  readonly title: string;
  /** Of a response or of its header. */
  readonly status: number | undefined;
  readonly value: unknown;
  readonly schema: SchemaModel | undefined;
  /** Where it stands. */
  readonly pointer: string;
}

/** The examples of an operation: parameters, request, then responses with their headers. */
export const collectExamples = ({ id, parameters, requestBody, responses }: OperationModel): Example[] => {
  const of = (
    kind: Example['kind'],
    name: string,
    subject: string,
    described: DescribedModel | undefined,
    status?: number,
  ): Example[] =>
    (described?.examples ?? []).map((example) => ({
      operationId: id,
      kind,
      name,
      subject,
      title: example.name ? `${subject} "${example.name}"` : subject,
      status,
      value: example.value,
      schema: described?.schema,
      pointer: example.pointer,
    }));
  return [
    ...parameters.flatMap((parameter) =>
      of('parameter', parameter.name, `${parameter.in} ${parameter.name}`, parameter),
    ),
    ...of('request', 'body', 'body', requestBody),
    ...responses.flatMap(({ status, headers, body }) => [
      ...of('response', 'body', `${status} body`, body, status),
      ...headers.flatMap((header) =>
        of('header', header.name, `${status} header ${header.name}`, header, status),
      ),
    ]),
  ];
};
