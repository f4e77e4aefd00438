import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Connection } from '../../../src/controllers/https/connection.js';
import { until } from '../../support/until.js';
import { connect, errorOf, startTarget, well, type Answer, type Target } from './target.js';

const key = 'geheim-4711';
const post = {
  method: 'POST',
  path: '/order?n=1',
  headers: { 'x-api-key': key },
  json: { password: key },
} as const;
const get = { method: 'GET', path: '/', headers: { 'x-api-key': key } } as const;
const unknown = { name: 'OutcomeUnknown' };

let target: Target;
let connection: Connection;
beforeEach(async () => {
  target = await startTarget();
  connection = connect(target);
});
afterEach(async () => {
  await connection.close();
  await target.stop();
});

test('a call is sent as it is, its body as JSON', async () => {
  const reply = await connection.call(post);
  expect(reply).toMatchObject({ status: 200, text: '{"well":true}' });
  expect(target.requests).toEqual([
    expect.objectContaining({
      method: 'POST',
      path: '/order?n=1',
      body: JSON.stringify(post.json),
      headers: expect.objectContaining({ 'x-api-key': key, 'content-type': 'application/json' }),
    }),
  ]);
});

test.each(['POST', 'DELETE'] as const)('%s needs no body', async (method) => {
  expect((await connection.call({ method, path: '/' })).status).toBe(200);
  expect(target.requests[0]).toMatchObject({ method, body: '' });
});

test('connections are kept: one is enough for calls one after the other', async () => {
  for (let asked = 0; asked < 20; asked += 1) await connection.call(post);
  expect(target.handshakes).toBe(1);
});

test('a compressed answer is read', async () => {
  target.answer(
    (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')),
  );
  expect((await connection.call(get)).text).toBe('{"a":1}');
});

test.each([301, 302, 303, 307, 308])(
  'a redirect of status %i is an answer: nobody else gets the key',
  async (status) => {
    const elsewhere = await startTarget();
    target.answer((response) => void response.writeHead(status, { location: `${elsewhere.url}/` }).end());
    expect((await connection.call(get)).status).toBe(status);
    expect((await connection.call(post)).status).toBe(status);
    expect(elsewhere.connections).toBe(0);
    expect(target.requests).toHaveLength(2);
    await elsewhere.stop();
  },
);

test('a connection that breaks after the request leaves the outcome of an order unknown', async () => {
  target.answer((response) => void response.destroy());
  expect(await errorOf(connection.call(post))).toMatchObject(unknown);
  expect(target.requests).toHaveLength(1);
});

test('an answer that is cut off leaves the outcome of an order unknown', async () => {
  target.answer((response) => {
    response.writeHead(201, { 'content-length': 100 });
    response.write('{"vouchers":[', () => response.destroy());
  });
  expect(await errorOf(connection.call(post))).toMatchObject(unknown);
  expect(target.requests).toHaveLength(1);
});

test('an answer that is no HTTP leaves the outcome of an order unknown', async () => {
  target.answer((response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'));
  expect(await errorOf(connection.call(post))).toMatchObject(unknown);
});

test.each(['GET', 'DELETE'] as const)('%s is asked once more when the connection breaks', async (method) => {
  target.answer((response) => {
    target.answer(well);
    response.destroy();
  });
  expect((await connection.call({ method, path: '/' })).status).toBe(200);
  expect(target.requests).toHaveLength(2);
});

test('it is not asked a third time', async () => {
  target.answer((response) => void response.destroy());
  expect(await errorOf(connection.call(get))).toMatchObject(unknown);
  expect(target.requests).toHaveLength(2);
});

test('an answer that is too large is not held', async () => {
  const mebibyte = Buffer.alloc(1024 * 1024, ' ');
  target.answer((response) => {
    const write = (): void => {
      if (!response.destroyed) response.write(mebibyte, write);
    };
    write();
  });
  expect(await errorOf(connection.call(get))).toMatchObject({ code: 'unreadable' });
  // The order was heard, so there may be a voucher.
  expect(await errorOf(connection.call(post))).toMatchObject(unknown);
});

test('no error holds what was sent', async () => {
  const silent = { ...post, signal: AbortSignal.timeout(200) };
  const errors: unknown[] = [];
  const answers: Answer[] = [
    (response) => void response.destroy(),
    (response) => void response.write('{', () => response.destroy()),
    (response) => void response.socket?.end('nonsense\r\n'),
  ];
  for (const answer of answers) {
    target.answer(answer);
    errors.push(await errorOf(connection.call(post)));
    const { body } = await connection.stream(post).catch((error: unknown) => {
      errors.push(error);
      return { body: undefined };
    });
    if (body) errors.push(await errorOf(body.toArray()));
  }
  const untrusting = connect(target, { fingerprint: undefined });
  errors.push(await errorOf(untrusting.call(post)));
  await untrusting.close();
  target.answer(() => undefined);
  const other = connect(target);
  errors.push(await errorOf(other.call(silent)));
  await other.close();
  errors.push(await errorOf(other.call(post)));
  await target.stop();
  const gone = connect(target);
  errors.push(await errorOf(gone.call(post)));
  for (let asked = 0; asked < 5; asked += 1) errors.push(await errorOf(gone.call(post)));
  await gone.close();
  const named = errors.map((error) => (error as Error).name);
  expect(new Set(named)).toEqual(new Set(['OutcomeUnknown', 'ControllerError']));
  expect(inspect(errors, { depth: 20, showHidden: true, maxStringLength: null })).not.toContain(key);
});

test('closing lets those end who are under way or wait, and takes nobody new', async () => {
  await connection.close();
  connection = connect(target, { maxCalls: 1 });
  const answers: (() => void)[] = [];
  target.answer((response) => void answers.push(() => response.end('{}')));
  const calls = [connection.call(post), connection.call(post)];
  await until('the first has arrived', () => answers.length === 1);
  let closed = false;
  const closing = connection.close().then(() => {
    closed = true;
  });
  expect(await errorOf(connection.call(post))).toMatchObject({ code: 'unreachable' });
  expect(closed).toBe(false);
  answers[0]?.();
  await until('the second has arrived', () => answers.length === 2);
  answers[1]?.();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
  await closing;
});
