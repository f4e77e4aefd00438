import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { standardMessages } from '../../src/contract/standardMessages.js';
import { root } from '../support/built.js';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import { exchange } from '../support/rawSocket.js';

const source = (texts = '') => `openapi: 3.1.0
info: { title: Loans, version: '1' }
servers: [{ url: http://localhost }]
security: [{ key: [] }]
${texts}
paths:
  /loans/{id}:
    get:
      operationId: getLoan
      x-scope: read
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: A loan, content: { application/json: { schema: {} } } } }
  /loans:
    post:
      operationId: createLoan
      x-scope: write
      requestBody:
        x-max-bytes: 2048
        content: { application/json: { schema: { type: object, additionalProperties: false } } }
      responses: { '201': { description: Created } }
  /covers:
    put:
      operationId: putCover
      x-scope: write
      requestBody: { x-max-bytes: 100, content: { image/png: {} } }
      responses: { '204': { description: Stored } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
`;

let server: ContractServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const start = async (texts?: string): Promise<ContractServer> =>
  (server = await startContractServer({
    source: source(texts),
    access: {
      anonymous: undefined,
      authenticate: (key) => (key === '' ? undefined : key),
      permits: (key, scope) => key === 'write' || scope === 'read',
      count: (key) =>
        key === 'many' ? { accepted: false, limit: 1, remaining: 0, resetSeconds: 7 } : undefined,
    },
    handlers: { putCover: ({ reply }: { reply(status: number): unknown }) => reply(204) },
  }));

const request = (line: string, key: string, ...more: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', `X-Key: ${key}`, ...more, '', ''].join('\r\n');

/** What is wrong, the request, the status and the code. */
const cases: readonly [name: string, request: string, status: number, code: string][] = [
  ['field', request('GET /loans/x', 'read'), 400, 'invalid_request'],
  ['request', `${request('POST /loans', 'write', 'Content-Length: 7')}{"a":1}`, 400, 'invalid_request'],
  ['content_type', request('PUT /covers', 'write', 'Content-Type: a/b'), 415, 'unsupported_media_type'],
  ['host', 'GET /loans/1 HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
  ['expect', request('GET /loans/1', 'read', 'Expect: more'), 417, 'invalid_request'],
  ['unauthorized', request('GET /loans/1', ''), 401, 'unauthorized'],
  ['forbidden', request('POST /loans', 'read'), 403, 'forbidden'],
  ['address', request('FOO /nothing', 'read'), 404, 'not_found'],
  ['payload_too_large', request('POST /loans', 'write', 'Content-Length: 2049'), 413, 'payload_too_large'],
  ['rate_limited', request('GET /loans/1', 'many'), 429, 'rate_limited'],
];

const filled = (text: string): string =>
  Object.entries({ field: 'id', media: 'image/png', scope: 'write', limit: '2 KiB', seconds: '7' }).reduce(
    (result, [name, value]) => result.replace(`{${name}}`, value),
    text,
  );

const english: Readonly<Record<string, string>> = standardMessages;

/** The answers to all cases. */
const answersOf = async ({ url }: ContractServer) => {
  const answers: unknown[] = [];
  for (const [name, bytes] of cases) {
    const [answer] = await exchange(url, bytes);
    answers.push([name, answer?.status, JSON.parse(answer?.body ?? '')]);
  }
  return answers;
};

test('a contract without texts has English ones', async () => {
  expect(await answersOf(await start())).toEqual(
    cases.map(([name, , status, error]) => [name, status, { error, message: filled(english[name] ?? '') }]),
  );
});

test('x-messages words them', async () => {
  const textOf = (name: string): string =>
    `Leider nicht: ${(english[name] ?? '').match(/\{\w+\}/)?.[0] ?? name}`;
  const texts = cases.map(([name]) => `${name}: '${textOf(name)}'`).join(', ');
  expect(await answersOf(await start(`x-messages: { ${texts} }`))).toEqual(
    cases.map(([name, , status, error]) => [name, status, { error, message: filled(textOf(name)) }]),
  );
});

test('a name that means nothing is refused with its place', async () => {
  await expect(start('x-messages: { fiel: x }')).rejects.toThrow(
    /^openapi\.yaml:5:21: x-messages: fiel is none of field, read_only, request, /,
  );
});

test('the document lists all texts', () => {
  const document = readFileSync(join(root, 'docs/contract.md'), 'utf8');
  const [, table = ''] = /### Texts of errors\n([^]*?)\n## /.exec(document) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)];
  expect(Object.fromEntries(rows.map(([, name, text]) => [name, text]))).toEqual(standardMessages);
});
