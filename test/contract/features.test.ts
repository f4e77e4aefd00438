import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import type { TestFolder } from '../support/folder.js';
import { send, type Answer } from '../support/service.js';
import { contract, contractOf, type HandlerRequest } from './feature.js';
import { features } from './features.js';
import { serveFeature } from './servedFeature.js';
import { writeContract } from './writtenContract.js';

describe.each(features.map((feature) => [feature.row, feature] as const))('%s', (_row, feature) => {
  let server: ContractServer;
  let folder: TestFolder | undefined;
  beforeAll(async () => {
    folder = feature.files && (await writeContract(contractOf(feature), feature.files));
    server = await startContractServer(serveFeature(feature, folder && join(folder.path, 'openapi.yaml')));
  });
  afterAll(async () => {
    await folder?.remove();
    expect(server.violations).toEqual([]);
    await server.stop();
  });

  test.each(feature.cases)('%s', async (_what, [method, path, options], expected) => {
    expect(await send(server.url + (feature.basePath ?? ''), method, path, options)).toMatchObject(
      expected as Partial<Answer>,
    );
  });
});

test('docs/contract.md lists what is supported, row by row', () => {
  const [, table = ''] = readFileSync('docs/contract.md', 'utf8').split('## What a contract may hold\n');
  const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (?!feature \||---)(.+?) \|/gm)].map(
    ([, row]) => row,
  );
  expect(rows).toEqual(features.map(({ row }) => row));
});

test('a body that grows beyond its limit while it is read is refused', async () => {
  const { paths } = features.find(({ row }) => row === 'request bodies that are not JSON')!;
  const server = await startContractServer({
    source: contract(paths),
    handlers: {
      upload: async ({ input, reply }: HandlerRequest) =>
        reply(200, { read: (await buffer(input['body'] as Readable)).length }),
    },
  });
  // Of unknown length: it comes in pieces.
  const body = Readable.toWeb(Readable.from(['12345', '67890', '1'].map((piece) => Buffer.from(piece))));
  const answer = await fetch(`${server.url}/upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: body as RequestInit['body'] & object,
    duplex: 'half',
  });
  expect(answer.status).toBe(413);
  await server.stop();
});
