import { methods, type ContractDocument, type Parameter } from '../../src/contract/document.js';

interface Method {
  readonly operationId: string;
  readonly call: string;
  readonly path: string;
  readonly summary: string;
  readonly hasPath: boolean;
  readonly hasQuery: boolean;
  readonly hasBody: boolean;
  readonly takesIdempotencyKey: boolean;
}

/** The operations of a contract as methods of the client. */
export const methodsOf = ({ paths }: ContractDocument): Method[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((name) => {
      const operation = item[name];
      if (!operation) return [];
      const parameters: readonly Parameter[] = operation.parameters ?? [];
      return [
        {
          operationId: operation.operationId,
          call: name.toUpperCase(),
          path,
          summary: operation.summary ?? operation.operationId,
          hasPath: parameters.some((parameter) => parameter.in === 'path'),
          hasQuery: parameters.some((parameter) => parameter.in === 'query'),
          hasBody: operation.requestBody !== undefined,
          takesIdempotencyKey: parameters.some(({ name: header }) => header === 'Idempotency-Key'),
        },
      ];
    }),
  );

const methodSource = (method: Method): string => {
  const { operationId, call, path, summary, hasPath, hasQuery, hasBody, takesIdempotencyKey } = method;
  const args = [
    ...(hasPath ? [`path: Path<'${operationId}'>`] : []),
    ...(hasQuery ? [`query: Query<'${operationId}'>`] : []),
    ...(hasBody ? [`body: Body<'${operationId}'>`] : []),
    takesIdempotencyKey
      ? '{ idempotencyKey = crypto.randomUUID(), ...options }: CallOptions & { idempotencyKey?: string } = {}'
      : 'options: CallOptions = {}',
  ];
  const params = [
    ...(hasPath ? ['path'] : []),
    ...(hasQuery ? ['query'] : []),
    ...(takesIdempotencyKey ? [`header: { 'Idempotency-Key': idempotencyKey }`] : []),
  ];
  const parts = [
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(hasBody ? ['body'] : []),
    '...options',
  ];
  return `    /** ${summary}. */
    ${operationId}: async (${args.join(', ')}) =>
      unwrap(await raw.${call}('${path}', { ${parts.join(', ')} })),`;
};

const errorCodesOf = ({ paths }: ContractDocument): string[] => [
  ...new Set(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ 'x-error': code }) => (code === undefined ? [] : [code])),
  ),
];

/** The source of the client: one method for each operation of the contract. */
export const clientSource = (document: ContractDocument): string => `// Made from the contract. Do not edit.
import createClient from 'openapi-fetch';
import { unwrap, VoucherApiError } from './errors.js';
import type { operations, paths } from './openapi.js';
import { retrying, type RetryOptions } from './retrying.js';

type OperationId = keyof operations;
type Path<K extends OperationId> = operations[K]['parameters'] extends { path: infer P } ? P : never;
type Query<K extends OperationId> = operations[K]['parameters'] extends { query: infer Q } ? Q : never;
type Body<K extends OperationId> = operations[K] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? B
  : never;

/** The codes that errors of this API have. */
export type ErrorCode = ${errorCodesOf(document)
  .map((code) => `'${code}'`)
  .join(' | ')};

/** Is this an error that the API answered with? */
export const isApiError = (error: unknown): error is VoucherApiError<ErrorCode> => error instanceof VoucherApiError;

export interface CallOptions {
  /** Ends the call, and any waiting for another try. */
  readonly signal?: AbortSignal;
}

export interface VoucherClientOptions {
  /** The directory of the endpoints: \`https://vouchers.example.org\` or \`https://example.org/api\`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly retry?: RetryOptions;
  /** Another fetch than the global one. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A client of one service. Every method returns the body of a good answer and throws \`VoucherApiError\` otherwise. */
export const createVoucherClient = (options: VoucherClientOptions) => {
  const { baseUrl, apiKey, retry, fetch: send = (request: Request) => fetch(request) } = options;
  const raw = createClient<paths>({
    baseUrl,
    headers: { Authorization: \`Bearer \${apiKey}\` },
    fetch: retrying(send, retry),
  });
  return {
    /** Everything else that the API can do, typed by path: answers with their headers, for instance. */
    raw,
${methodsOf(document).map(methodSource).join('\n')}
  };
};

export type VoucherClient = ReturnType<typeof createVoucherClient>;
`;
