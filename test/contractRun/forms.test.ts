import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { allFailuresOf, runInProcess } from './thirdPartyRun.js';

const orders = (rules: string, encoding: string): string => `openapi: 3.0.3
info: { title: t, version: '1' }
servers: [{ url: http://localhost }]
components: {}
paths:
  /orders:
    post:
      operationId: order
      requestBody:
        required: true
        x-max-bytes: 65536
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string, minLength: 2, maxLength: 20 }
                guests: { type: integer, minimum: 1, ${rules} }
                vip: { type: boolean }
                rooms: { type: array, maxItems: 3, items: { type: integer } }
                beds: { type: array, maxItems: 2, items: { type: integer } }
                filter: { type: object, properties: { floor: { type: integer }, tags: { type: array, items: { type: string } } } }
                address: { type: object, required: [city], properties: { city: { type: string } } }
            ${encoding}
            example: { name: Berger, guests: 2, vip: true, rooms: [1, 2], address: { city: Ulm } }
      responses:
        '200':
          description: d
          content: { application/json: { schema: { type: object } } }
        '400': { description: d, x-error: invalid_request, x-message: '{message}', content: { application/json: { schema: { type: object } } } }
        '415': { description: d, x-error: unsupported_media_type, x-message: '{message}', content: { application/json: { schema: { type: object } } } }
        '413': { description: d, x-error: payload_too_large, x-message: '{limit}', content: { application/json: { schema: { type: object } } } }
`;
/** One with files. */
const uploads = (rules: string): string =>
  orders('', `encoding: { logo: { contentType: 'image/*' } }`)
    .replace('application/x-www-form-urlencoded', 'multipart/form-data')
    .replace('[name]', '[name, list]')
    .replace(
      / +guests: [^]*?(?= +encoding)/,
      `                list: { type: string, format: binary, minLength: 2, ${rules} }
                logo: { type: string, format: binary }
                pages: { type: array, maxItems: 2, items: { type: string, format: binary } }\n`,
    )
    .replace(/example: .*/, "example: { name: Berger, list: 'a;b', pages: [a, b] }");

const plain = orders('maximum: 9', '');
const encoded = orders('maximum: 9', 'encoding: { beds: { explode: false }, filter: { style: deepObject } }');
let server: ContractServer;
const folder = forAllTests(makeFolder, 'remove');

/** What `voucherd contract` finds in a service of one contract with another one, and the requests that it got. */
const runOn = async (served: string, compared = served) => {
  const seen: unknown[] = [];
  server = await startContractServer({
    source: served,
    handlers: {
      order: ({ input, reply }: { input: { body: object }; reply(status: number, body: object): object }) => {
        seen.push(JSON.parse(JSON.stringify(input.body)));
        return reply(200, {});
      },
    },
  });
  const failures = await compare(server.url, compared);
  await server.stop();
  return { failures, seen };
};

const compare = async (url: string, compared: string): Promise<Record<string, string>> => {
  const contract = join(folder.path, 'openapi.yaml');
  await writeFile(contract, compared);
  const stages = ['examples', 'conformance', 'generated'];
  const result = await runInProcess(folder.path, {}, { stages, contract, url });
  return allFailuresOf(result);
};

test('a service that reads forms as its contract says is good, and gets values of every field', async () => {
  const { failures, seen } = await runOn(plain);
  expect(failures).toEqual({});
  expect(seen).toContainEqual({
    name: 'Berger',
    guests: 2,
    vip: true,
    rooms: [1, 2],
    address: { city: 'Ulm' },
  });
  for (const fields of [
    { guests: 1 },
    { guests: 9 },
    { vip: false },
    { rooms: [0, 0, 0] },
    { address: { city: '' } },
  ])
    expect(seen).toContainEqual(expect.objectContaining(fields));
});

test('forms are written as their encoding says', async () => {
  const { failures, seen } = await runOn(encoded);
  expect(failures).toEqual({});
  expect(seen).toContainEqual(expect.objectContaining({ beds: [0, 0] }));
  expect(seen).toContainEqual(expect.objectContaining({ filter: expect.objectContaining({ floor: 0 }) }));
});

test('a value that it accepts, and should not, is found', async () => {
  const { failures } = await runOn(orders('maximum: 10', ''), plain);
  expect(Object.values(failures)).toContainEqual(
    expect.stringMatching(/the status is 200 .*\(the contract refuses body guests\)/),
  );
});

test('a value that it refuses, and should not, is found', async () => {
  const { failures } = await runOn(orders('maximum: 8', ''), plain);
  expect(Object.values(failures)).toContainEqual(
    expect.stringMatching(/the status is 400 instead of 200 .*\(the contract accepts the request\)/),
  );
});

test('a service that reads forms with files as its contract says is good, and gets files of every size', async () => {
  const { failures, seen } = await runOn(uploads('maxLength: 40'));
  expect(failures).toEqual({});
  const file = (size: number, mediaType = 'application/octet-stream') => ({ name: 'file', mediaType, size });
  for (const fields of [
    { list: file(3), name: 'Berger' },
    { list: file(2) },
    { list: file(40) },
    { logo: file(0, 'image/x-any') },
    { pages: [file(1), file(1)] },
  ])
    expect(seen).toContainEqual(expect.objectContaining(fields));
});

test('files of OpenAPI 3.1 are sent with their media types', async () => {
  const { failures, seen } = await runOn(
    uploads('maxLength: 40')
      .replace('openapi: 3.0.3', 'openapi: 3.1.0')
      .replace(/encoding: .*/, '')
      .replace('logo: { type: string, format: binary }', 'logo: { contentMediaType: image/png }')
      .replace('items: { type: string, format: binary }', 'items: { contentMediaType: text/csv }'),
  );
  expect(failures).toEqual({});
  const file = (mediaType: string) => expect.objectContaining({ name: 'file', mediaType }) as unknown;
  expect(seen).toContainEqual(expect.objectContaining({ logo: file('image/png') }));
  expect(seen).toContainEqual(expect.objectContaining({ pages: [file('text/csv'), file('text/csv')] }));
});

test('a file that it accepts, and should not, is found', async () => {
  const { failures } = await runOn(uploads('maxLength: 41'), uploads('maxLength: 40'));
  expect(Object.values(failures)).toContainEqual(
    expect.stringMatching(/the status is 200 .*\(the contract refuses body list\)/),
  );
});

test('a body without an end that it accepts is found', async () => {
  const strict = await startContractServer({
    source: uploads('maxLength: 40'),
    handlers: { order: ({ reply }: { reply(status: number, body: object): object }) => reply(200, {}) },
  });
  const answer = async (req: IncomingMessage): Promise<Response> => {
    const body = await buffer(req);
    if (body.includes('Content-Disposition') && !body.includes('-run--')) return Response.json({});
    const { 'content-type': type, 'content-encoding': encoding } = req.headers;
    return fetch(strict.url + String(req.url), {
      method: String(req.method),
      headers: { ...(type && { 'content-type': type }), ...(encoding && { 'content-encoding': encoding }) },
      ...(body.length > 0 && { body }),
    });
  };
  const careless = createServer((req, res) => {
    void answer(req).then(async (response) => {
      res.writeHead(response.status, { 'Content-Type': response.headers.get('content-type') ?? '' });
      res.end(Buffer.from(await response.arrayBuffer()));
    });
  });
  await once(careless.listen(0, '127.0.0.1'), 'listening');
  const { port } = careless.address() as AddressInfo;
  const failures = await compare(`http://127.0.0.1:${String(port)}`, uploads('maxLength: 40'));
  careless.close();
  await strict.stop();
  expect(Object.values(failures)).toContainEqual(
    expect.stringMatching(/the status is 200 .*\(the contract refuses body\)/),
  );
});
