import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readClientContract } from '../../scripts/sdk/clientContract.js';
import { writeClientPackage } from '../../scripts/sdk/clientPackage.js';
import { writeContract } from '../contract/writtenContract.js';
import { root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const json = 'application/json: { schema: { type: object, properties: { id: { type: integer } } } }';
const contract = `openapi: 3.0.3
info: { title: t, version: '1' }
paths:
  /answer:
    get: { operationId: read, responses: { '200': { description: d, content: { ${json} } } } }
    post: { operationId: start, responses: { '202': { description: d } } }
    delete: { operationId: remove, responses: { '204': { description: d, content: { ${json} } } } }
    head: { operationId: has, responses: { '200': { $ref: '#/components/responses/Csv' } } }
    patch:
      operationId: change
      responses: { '200': { description: d, content: { ${json} } }, '202': { description: d } }
    put: { operationId: list, responses: { '200': { $ref: '#/components/responses/Csv' } } }
components:
  responses:
    Csv: { description: d, content: { text/csv: { schema: { type: string } } } }
`;
const program = `
import type { EmptyClient } from './src/index.js';
export const removed = (client: EmptyClient): Promise<undefined> => client.remove();
export const started = (client: EmptyClient): Promise<undefined> => client.start();
export const changed = async (client: EmptyClient): Promise<number | undefined> => (await client.change())?.id;
export const had = (client: EmptyClient): Promise<undefined> => client.has();
export const listed = (client: EmptyClient): Promise<string> => client.list();
// @ts-expect-error an answer to HEAD has no text
export const known = (client: EmptyClient): Promise<string> => client.has();
`;

type Call = (options?: object) => Promise<unknown>;
type Client = Record<'read' | 'start' | 'remove' | 'has' | 'list', Call>;

let folder: TestFolder;
let answer: { status: number; headers: OutgoingHttpHeaders };
let client: Client;
const server = createServer((_, response) => response.writeHead(answer.status, answer.headers).end());

beforeAll(async () => {
  folder = await makeFolder();
  const written = await writeContract(contract, {});
  const names = { name: 'empty-client', className: 'EmptyClient' };
  await writeClientPackage(readClientContract(join(written.path, 'openapi.yaml')), folder.path, names);
  await written.remove();
  const options = { extends: './tsconfig.json', compilerOptions: { rootDir: '.' }, include: ['*.ts', 'src'] };
  await writeFile(join(folder.path, 'program.ts'), program);
  await writeFile(join(folder.path, 'program.json'), JSON.stringify(options));
  await promisify(execFile)(process.execPath, [compiler, '-p', join(folder.path, 'program.json')]).catch(
    (error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = pathToFileURL(join(folder.path, 'dist/src/index.js')).href;
  const { createEmptyClient } = (await import(address)) as { createEmptyClient: (options: object) => Client };
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  client = createEmptyClient({ baseUrl, retry: { limit: 0 } });
});
afterAll(async () => {
  await folder.remove();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const none = { 'Content-Length': '0' };
const ofJson = { 'Content-Type': 'application/json; charset=utf-8' };

test.each<[what: string, method: keyof Client, status: number, headers: OutgoingHttpHeaders]>([
  ['202 without a body', 'start', 202, none],
  ['202 in chunks of which there are none', 'start', 202, { 'Transfer-Encoding': 'chunked' }],
  ['202 with a media type and no body', 'start', 202, { ...none, ...ofJson }],
  ['204', 'remove', 204, {}],
  ['204 with a media type', 'remove', 204, ofJson],
  ['200 of JSON that is missing', 'read', 200, { ...none, ...ofJson }],
  ['HEAD', 'has', 200, { 'Content-Length': '7' }],
  ['HEAD with a media type', 'has', 200, { 'Content-Type': 'text/csv' }],
  ['HEAD of JSON', 'has', 200, ofJson],
])('%s has no value', async (_what, method, status, headers) => {
  answer = { status, headers };
  expect(await client[method]()).toBe(undefined);
  expect(await client[method]({ responseStyle: 'fields' })).toMatchObject({ response: { status } });
});

test('an empty text is a text', async () => {
  answer = { status: 200, headers: { ...none, 'Content-Type': 'text/csv' } };
  expect(await client.list()).toBe('');
});
