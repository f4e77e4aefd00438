import type { ServedForTest } from '../support/contractServer.js';
import type { RequestOptions } from '../support/service.js';

/** One feature of contracts that is supported: a row of the table in docs/contract.md. */
export interface Feature {
  /** The first column. */
  readonly row: string;
  /** What stands below `paths:`. Every operation answers with what its handler got. */
  readonly paths: string;
  readonly components?: string;
  /** The version, unless it is 3.0.3. */
  readonly openapi?: string;
  /** What stands beside `paths`. */
  readonly head?: string;
  /** Other files in its folder, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Beside `bearerAuth`. */
  readonly securitySchemes?: string;
  readonly servers?: string;
  /** What its requests are below. */
  readonly basePath?: string;
  readonly access?: ServedForTest['access'] & object;
  readonly handler?: (request: HandlerRequest) => unknown;
  readonly cases: readonly (readonly [what: string, request: Request, expected: unknown])[];
}

type Request = readonly [method: string, path: string, options?: RequestOptions];

export interface HandlerRequest {
  readonly operationId: string;
  readonly input: Record<string, unknown>;
  readonly principal: unknown;
  reply(status: number, body?: unknown, headers?: Record<string, string>): unknown;
}

export const ok = (body: unknown) => ({ status: 200, body });
export const refused = (message: string) => ({ status: 400, body: { error: 'invalid_request', message } });

export const indent = (code: string, depth: number): string =>
  code
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(depth) + line)
    .join('\n');

const responses = `
responses:
  '200': { description: d, content: { application/json: { schema: {} } } }
  '400': { description: d, x-error: invalid_request, x-message: '{message}', content: { application/json: { schema: {} } } }
  '401': { description: d, x-error: unauthorized, x-message: nein, content: { application/json: { schema: {} } } }
  '413': { description: d, x-error: payload_too_large, x-message: '{limit}', content: { application/json: { schema: {} } } }
`;

/** The same with the refusal of other media types. */
export const responsesWith415 = `${responses}  '415': { description: d, x-error: unsupported_media_type, x-message: '{message}', content: { application/json: { schema: {} } } }`;

/** One operation of one method, with everything that is not in question. */
export const operation = (id: string, rest: string, answers = responses): string =>
  `operationId: ${id}\nx-scope: read\n${rest.trim()}\n${answers.trim()}`;

export const contract = (
  paths: string,
  components = '',
  openapi = '3.0.3',
  head = '',
): string => `openapi: ${openapi}
${head}
info: { title: t, version: '1' }
servers: [{ url: http://localhost }]
security: [{ bearerAuth: [] }]
paths:
${indent(paths, 2)}
components:
  securitySchemes:
    bearerAuth: { type: http, scheme: bearer }
${components === '' ? '' : indent(components, 2)}
`;

/** The contract of one feature. */
export const contractOf = (feature: Feature): string => {
  const { paths, components, openapi, head, servers, securitySchemes = '' } = feature;
  const written = contract(paths, components, openapi, head);
  const scheme = '    bearerAuth: { type: http, scheme: bearer }\n';
  return written
    .replace(scheme, () => scheme + (securitySchemes === '' ? '' : `${indent(securitySchemes, 4)}\n`))
    .replace('[{ url: http://localhost }]', (standard) => servers ?? standard);
};

export const get = (path: string, id: string, rest: string): string =>
  `${path}:\n  get:\n${indent(operation(id, rest), 4)}`;
export const post = (path: string, id: string, schema: string): string =>
  `${path}:\n  post:\n${indent(
    operation(
      id,
      `requestBody:\n  required: true\n  x-max-bytes: 65536\n  content:\n    application/json:\n      schema:\n${indent(schema, 8)}`,
    ),
    4,
  )}`;
export const parameters = (...list: string[]): string =>
  `parameters:\n${list.map((one) => `  - ${one}`).join('\n')}`;
