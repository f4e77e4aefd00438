import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { startContractServer } from '../support/contractServer.js';
import { send, type Answer } from '../support/service.js';
import { contract, contractOf, type HandlerRequest } from './feature.js';
import { features } from './features.js';
import { serveFeature } from './servedFeature.js';
import { writeContract } from './writtenContract.js';

test.each(features.map((feature) => [feature.row, feature] as const))('%s', async (_row, feature) => {
  const { cases, files, basePath = '' } = feature;
  const folder = files && (await writeContract(contractOf(feature), files));
  const server = await startContractServer(
    serveFeature(feature, folder && join(folder.path, 'openapi.yaml')),
  );
  const answers: [what: string, answer: Answer][] = [];
  for (const [what, [method, path, options]] of cases)
    answers.push([what, await send(server.url + basePath, method, path, options)]);
  await server.stop();
  await folder?.remove();
  expect(answers).toMatchObject(cases.map(([what, , expected]) => [what, expected as Partial<Answer>]));
  expect(server.violations).toEqual([]);
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
