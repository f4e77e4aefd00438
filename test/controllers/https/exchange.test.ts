import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Connection } from '../../../src/controllers/https/connection.js';
import { makeReplyBody } from '../../../src/controllers/https/exchange.js';
import { until } from '../../support/until.js';
import { connect, errorOf, startTarget, type Target } from './target.js';

const get = { method: 'GET', path: '/list' } as const;
const other = { method: 'GET', path: '/other' } as const;

let target: Target;
let connection: Connection;
let response: ServerResponse | undefined;
const arrived = (): Promise<ServerResponse> => until('the request has arrived', () => response);
beforeEach(async () => {
  response = undefined;
  target = await startTarget((answered, { path }) => {
    if (path !== get.path) {
      answered.end('{}');
      return;
    }
    response = answered;
    answered.writeHead(200, { 'content-type': 'application/json' });
    answered.write('first ');
  });
});
afterEach(async () => {
  await connection.close();
  await target.stop();
});

test('an answer is given as it comes, however large it is', async () => {
  connection = connect(target);
  const { status, headers, body } = await connection.stream(get);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json');
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  let left = 20;
  const end = await arrived();
  const write = (): void => {
    if (left-- > 0) end.write(chunk, write);
    else end.end();
  };
  write();
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) size += part.length;
  expect(size).toBe('first '.length + 20 * chunk.length);
});

test('it keeps its place until it has ended', async () => {
  connection = connect(target, { maxCalls: 1 });
  const { body } = await connection.stream(get);
  const waiting = connection.call(other);
  const iterator = body[Symbol.asyncIterator]();
  await iterator.next();
  expect(target.requests).toHaveLength(1);
  (await arrived()).end('second');
  expect(String((await iterator.next()).value)).toBe('second');
  expect((await iterator.next()).done).toBe(true);
  expect((await waiting).status).toBe(200);
});

test('it keeps its place until it is destroyed', async () => {
  connection = connect(target, { maxCalls: 1 });
  const { body } = await connection.stream(get);
  const waiting = connection.call(other);
  body.destroy();
  expect((await waiting).status).toBe(200);
});

/** Timers only: the streams go on. */
const fakeTimers = (): void => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
};
/** Until what is on its way between the two streams has arrived. */
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 100; turns += 1) await turn();
};

test('its time is up when nothing comes for so long, not when all of it takes longer', async () => {
  connection = connect(target);
  fakeTimers();
  try {
    const source = new PassThrough();
    const body = makeReplyBody({
      name: 'Zentrale',
      source,
      signal: new AbortController().signal,
      idleTimeoutMs: 1000,
    });
    body.resume();
    for (let written = 0; written < 10; written += 1) {
      source.write('more');
      await settled();
      jest.advanceTimersByTime(999);
    }
    expect(body.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(body.errored).toMatchObject({ name: 'OutcomeUnknown' });
    expect(source.destroyed).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});

test('a reader who takes his time is not taken for silence', async () => {
  connection = connect(target);
  fakeTimers();
  try {
    const source = new PassThrough();
    const body = makeReplyBody({
      name: 'Zentrale',
      source,
      signal: new AbortController().signal,
      idleTimeoutMs: 1000,
    });
    for (let written = 0; written < 160; written += 1) source.write(Buffer.alloc(64 * 1024));
    source.end();
    const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    let size = (await iterator.next()).value?.length ?? 0;
    await settled();
    jest.advanceTimersByTime(60_000);
    // What he has not read waits where it is.
    expect(size + body.readableLength).toBeLessThan(1024 * 1024);
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      size += value.length;
    }
    expect(size).toBe(10 * 1024 * 1024);
  } finally {
    jest.useRealTimers();
  }
});

test('one that is cut off says so in words of ours', async () => {
  connection = connect(target);
  const { body } = await connection.stream(get);
  (await arrived()).destroy();
  expect(await errorOf(body.toArray())).toMatchObject({
    name: 'OutcomeUnknown',
    code: 'disconnected',
  });
});

test('a caller who has no time any more ends it', async () => {
  connection = connect(target);
  const abort = new AbortController();
  const { body } = await connection.stream({ ...get, signal: abort.signal });
  abort.abort();
  expect(await errorOf(body.toArray())).toMatchObject({ name: 'OutcomeUnknown' });
});

test('one that nobody reads and that breaks off does no harm', async () => {
  connection = connect(target);
  const { body } = await connection.stream(get);
  (await arrived()).destroy();
  await until('it is over', () => body.destroyed || body.closed);
});
