import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { UploadedFile } from '../../src/contract/bodies/uploadedFile.js';
import { makeUploadBudget, type UploadBudget } from '../../src/http/uploadBudget.js';
import { contract, type HandlerRequest } from '../contract/feature.js';
import { postForm } from '../contract/formFeatures.js';
import { openRaw } from '../support/rawSocket.js';
import { until as waitFor } from '../support/until.js';
import { startContractServer } from '../support/contractServer.js';
import { send as sendOnce } from '../support/service.js';

const schema = `
type: object
required: [list]
properties: { list: { type: string, format: binary } }
`;
const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };

const bodyOf = (size: number): string =>
  `--b\r\nContent-Disposition: form-data; name="list"; filename="a"\r\n\r\n${'x'.repeat(size)}\r\n--b--`;

/** A budget that tells how much is reserved. */
const observed = (
  maxBytes: number,
): { uploads: UploadBudget; until: (reserved: number) => Promise<void> } => {
  const budget = makeUploadBudget(maxBytes);
  let reserved = 0;
  const waiting: { readonly reserved: number; resolve(): void }[] = [];
  const count = (bytes: number): void => {
    reserved += bytes;
    for (const one of waiting) if (one.reserved === reserved) one.resolve();
  };
  return {
    uploads: {
      reserve: (bytes) => {
        const isReserved = budget.reserve(bytes);
        if (isReserved) count(bytes);
        return isReserved;
      },
      release: (bytes) => {
        budget.release(bytes);
        count(-bytes);
      },
    },
    until: (wanted) =>
      wanted === reserved
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push({ reserved: wanted, resolve })),
  };
};

const start = (uploads: UploadBudget, onUpload: () => void | Promise<void> = () => undefined) =>
  startContractServer({
    source: contract(postForm('upload', schema, '', 'multipart/form-data')),
    handlers: {
      upload: async ({ input, reply }: HandlerRequest) => {
        const { list } = input['body'] as { list: UploadedFile };
        await onUpload();
        return reply(200, (await text(list.stream())).length);
      },
    },
    uploads,
  });

const send = (url: string, size: number) =>
  fetch(`${url}/upload`, {
    method: 'POST',
    headers: { ...headers, Authorization: 'Bearer x' },
    body: bodyOf(size),
  });

const begin = (url: string, length: number) => {
  const sent = request(`${url}/upload`, {
    method: 'POST',
    headers: { ...headers, Authorization: 'Bearer x', 'Content-Length': String(length) },
  });
  sent.on('error', () => undefined);
  return sent;
};

test('tests send a form as browsers do', async () => {
  const server = await start(makeUploadBudget(50_000));
  const form = new FormData();
  form.set('list', new Blob(['Łukasz;14']), 'list.csv');
  expect(await sendOnce(server.url, 'POST', '/upload', { key: 'x', body: form })).toMatchObject({
    status: 200,
    body: 9,
  });
  await server.stop();
});

test('an upload beyond what all of them may have gets 503, until one of them is gone', async () => {
  const { uploads, until } = observed(50_000);
  const server = await start(uploads);
  const first = begin(server.url, bodyOf(40_000).length);
  first.write(bodyOf(40_000).slice(0, 30_000));
  await until(30_000);
  const refused = await send(server.url, 40_000);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  // What the refused one had sent by then is given back, too, and so is what was aborted in the middle.
  await until(30_000);
  first.destroy();
  await until(0);
  expect(await (await send(server.url, 40_000)).json()).toBe(40_000);
  await until(0);
  await server.stop();
});

test('an upload that comes slowly, byte by byte, is read as one that comes at once', async () => {
  const { uploads, until } = observed(50_000);
  const server = await start(uploads);
  const body = Buffer.from(bodyOf(100));
  const sent = begin(server.url, body.length);
  for (const [index] of body.entries()) {
    sent.write(body.subarray(index, index + 1));
    await until(index + 1);
  }
  sent.end();
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  expect(await text(response)).toBe('100');
  await until(0);
  await server.stop();
});

test('uploads whose responses wait behind another one are given back when their connection is closed', async () => {
  const { uploads, until } = observed(50_000);
  let finishFirst: (() => void) | undefined;
  const server = await start(uploads, () =>
    finishFirst ? undefined : new Promise((resolve) => void (finishFirst = resolve)),
  );
  const body = bodyOf(1_000);
  const upload = `POST /upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Type: ${headers['Content-Type']}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { write, socket } = await openRaw(server.url);
  write(upload);
  await until(body.length);
  write(upload + upload);
  await until(3 * body.length);
  await waitFor('the responses of the others', () => server.lines.length === 2);
  socket.destroy();
  // The first is still worked on.
  await until(body.length);
  finishFirst?.();
  await until(0);
  await server.stop();
});
