import { afterEach, expect, test } from '@jest/globals';
import { HttpProblem, makeUnavailable } from '../../src/errors/httpProblem.js';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import { exchange } from '../support/rawSocket.js';

const source = (form: string) => `openapi: 3.1.0
info: { title: Loans, version: '1' }
servers: [{ url: http://localhost }]
security: [{ key: [] }]
x-problem: ${form}
paths:
  /loans/{id}:
    get:
      operationId: getLoan
      x-scope: read
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, x-message: id is a number } }]
      responses: { '200': { description: A loan, content: { application/json: { schema: {} } } } }
  /loans:
    post:
      operationId: createLoan
      x-scope: write
      requestBody: { x-max-bytes: 2048, content: { application/json: { schema: { type: object } } } }
      responses:
        '201': { description: Created }
        '415': { description: Compressed, x-error: unsupported_media_type, x-message: No compression }
  /mocked:
    get:
      operationId: getMock
      x-scope: read
      responses: { '200': { description: Mocked, content: { application/json: { schema: {} } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
`;

let server: ContractServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const failures: Readonly<Record<number, () => Error>> = {
  404: () => new HttpProblem('not_found'),
  500: () => new Error('the disk is full'),
  503: () => makeUnavailable(),
};

const start = async (form: string): Promise<string> => {
  server = await startContractServer({
    source: source(form),
    access: {
      anonymous: undefined,
      authenticate: (key) => (key === '' ? undefined : key),
      permits: (key, scope) => key === 'write' || scope === 'read',
      count: (key) =>
        key === 'many' ? { accepted: false, limit: 1, remaining: 0, resetSeconds: 7 } : undefined,
    },
    handlers: {
      getLoan: ({ input }: { input: { path: { id: number } } }) => {
        throw failures[input.path.id]?.() ?? new Error();
      },
    },
  });
  return server.url;
};

const request = (line: string, key: string, ...more: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', `X-Key: ${key}`, ...more, '', ''].join('\r\n');

const gzip = ['Content-Encoding: gzip', 'Content-Length: 2'];

/** The status, its title, the code, the request, the detail and the instance. */
const cases: readonly [number, string, string, string, string | undefined, string | undefined][] = [
  [
    400,
    'Bad Request',
    'invalid_request',
    request('GET /loans/x?page=1', 'read'),
    'id is a number',
    '/loans/x',
  ],
  [400, 'Bad Request', 'invalid_request', 'GET /a HTTP/1.1\r\n\r\n', 'The Host header is invalid', '/a'],
  [400, 'Bad Request', 'invalid_request', 'nonsense\r\n\r\n', 'The request is invalid', undefined],
  [
    400,
    'Bad Request',
    'invalid_request',
    request('GET /mocked', 'read', 'Prefer: code=418'),
    'Prefer: getMock has no code=418, but: 200',
    '/mocked',
  ],
  [
    401,
    'Unauthorized',
    'unauthorized',
    request('GET /loans/1', ''),
    'Credentials are missing or invalid',
    '/loans/1',
  ],
  [403, 'Forbidden', 'forbidden', request('POST /loans', 'read'), 'The scope write is missing', '/loans'],
  [
    404,
    'Not Found',
    'not_found',
    request('GET /loans/404', 'read'),
    'There is no such resource',
    '/loans/404',
  ],
  [
    404,
    'Not Found',
    'not_found',
    request('FOO /nothing', 'read'),
    'There is nothing at this address',
    '/nothing',
  ],
  [405, 'Method Not Allowed', 'method_not_allowed', request('DELETE /loans', 'read'), undefined, '/loans'],
  [405, 'Method Not Allowed', 'method_not_allowed', request('FOO /loans', 'read'), undefined, '/loans'],
  [
    413,
    'Payload Too Large',
    'payload_too_large',
    request('POST /loans', 'write', 'Content-Length: 2049'),
    'The body is larger than 2 KiB',
    '/loans',
  ],
  [
    415,
    'Unsupported Media Type',
    'unsupported_media_type',
    `${request('POST /loans', 'write', ...gzip)}{}`,
    'No compression',
    '/loans',
  ],
  [
    417,
    'Expectation Failed',
    'invalid_request',
    request('GET /loans/1', 'read', 'Expect: more'),
    'The Expect header is invalid',
    '/loans/1',
  ],
  [
    429,
    'Too Many Requests',
    'rate_limited',
    request('GET /loans/1', 'many'),
    'Too many requests: try again in 7 s',
    '/loans/1',
  ],
  [
    500,
    'Internal Server Error',
    'server_error',
    request('GET /loans/500', 'read'),
    'the disk is full',
    '/loans/500',
  ],
  [
    503,
    'Service Unavailable',
    'unavailable',
    request('GET /loans/503', 'read'),
    'The service is busy: try again in 1 s',
    '/loans/503',
  ],
];

test('every error is a problem detail', async () => {
  const url = await start('https://loans.example/problems/{code}');
  for (const [status, title, code, bytes, detail, instance] of cases) {
    const [answer] = await exchange(url, bytes);
    expect(answer?.head).toMatch(/^content-type: application\/problem\+json\r?$/im);
    const type = `https://loans.example/problems/${code}`;
    // What is undefined is not sent.
    const expected = JSON.stringify({ type, title, status, detail, instance });
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toEqual([status, JSON.parse(expected)]);
  }
});

test('with true there are no types', async () => {
  const [answer] = await exchange(await start('true'), request('GET /loans/404', 'read'));
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ type: 'about:blank', title: 'Not Found' });
});

test('any other form is refused with its place', async () => {
  for (const form of ['false', 'https://loans.example/problems', '1'])
    await expect(start(form)).rejects.toThrow(
      'openapi.yaml:5:12: x-problem must be true, or the address of the types of problems with {code} in it',
    );
});
