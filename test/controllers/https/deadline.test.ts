import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { connect, errorOf, startTarget, type Target } from './target.js';

const post = { method: 'POST', path: '/', json: {} } as const;
const unknown = { name: 'OutcomeUnknown' };
const late = { name: 'ControllerError', code: 'deadline' };
const unreachable = { name: 'ControllerError', code: 'unreachable' };

// Only timers of ours: Node's own, and with them the connections, go on.
beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a controller that does not answer', () => {
  let target: Target;
  beforeEach(async () => {
    target = await startTarget(() => undefined);
  });
  afterEach(() => target.stop());

  test('leaves the outcome unknown when the time is up', async () => {
    const connection = connect(target, {}, { deadlineMs: 5000 });
    const error = errorOf(connection.call(post));
    await until('the request has arrived', () => target.requests.length === 1);
    jest.advanceTimersByTime(5000);
    expect(await error).toMatchObject(unknown);
    await connection.close();
  });

  test('leaves the outcome unknown as soon as the caller has no time any more', async () => {
    const connection = connect(target);
    const abort = new AbortController();
    const error = errorOf(connection.call({ ...post, signal: abort.signal }));
    await until('the request has arrived', () => target.requests.length === 1);
    abort.abort();
    expect(await error).toMatchObject(unknown);
    await connection.close();
  });

  test('keeps those who wait from being asked about: they come too late', async () => {
    const connection = connect(target, { maxCalls: 1 });
    const abort = new AbortController();
    const first = errorOf(connection.call({ ...post, signal: abort.signal }));
    await until('the first has arrived', () => target.requests.length === 1);
    const leaving = new AbortController();
    const second = errorOf(connection.call({ ...post, signal: leaving.signal }));
    leaving.abort();
    expect(await second).toMatchObject(late);
    abort.abort();
    expect(await first).toMatchObject(unknown);
    expect(target.requests).toHaveLength(1);
    await connection.close();
  });

  test('leaves the outcome unknown when it falls silent in the middle of its answer', async () => {
    let written = false;
    target.answer((response) => {
      response.write('{"vouchers":[', () => {
        written = true;
      });
    });
    const connection = connect(target, {}, { deadlineMs: 5000 });
    const error = errorOf(connection.call(post));
    await until('the answer has begun', () => written);
    jest.advanceTimersByTime(5000);
    expect(await error).toMatchObject(unknown);
    await connection.close();
  });
});

test('a caller whose time was up before he asked is too late', async () => {
  const target = await startTarget();
  const connection = connect(target);
  expect(await errorOf(connection.call({ ...post, signal: AbortSignal.abort() }))).toMatchObject(late);
  expect(target.connections).toBe(0);
  await connection.close();
  await target.stop();
});

test('a streamed answer may take longer than a call, as long as it comes', async () => {
  let write = (_: string): void => undefined;
  const target = await startTarget((response) => {
    write = (text) => void response.write(text);
    write('begin');
  });
  const connection = connect(target, {}, { deadlineMs: 5000 });
  const { body } = await connection.stream({ method: 'GET', path: '/' });
  const read: string[] = [];
  const reading = errorOf(
    (async () => {
      for await (const chunk of body) read.push(String(chunk));
    })(),
  );
  for (let step = 1; step <= 5; step += 1) {
    await until('all has come so far', () => read.length === step);
    jest.advanceTimersByTime(4999);
    write(`step ${step}`);
  }
  await until('all has come', () => read.length === 6);
  jest.advanceTimersByTime(5000);
  expect(await reading).toMatchObject(unknown);
  await connection.close();
  await target.stop();
});

describe('a port behind which nobody speaks TLS', () => {
  let server: Server;
  let connections = 0;
  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).resume();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => void server.close(resolve)));
  const url = (): string => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test('is left when the caller has no time any more: nothing was sent', async () => {
    const connection = connect({ url: url() });
    const abort = new AbortController();
    const error = errorOf(connection.call({ ...post, signal: abort.signal }));
    await until('the connection is made', () => connections === 1);
    abort.abort();
    expect(await error).toMatchObject(late);
    await connection.close();
  });

  test('is not waited for longer than three seconds', async () => {
    const connection = connect({ url: url() });
    const error = errorOf(connection.call(post));
    await until('the connection is made', () => connections === 1);
    // The call itself has a minute.
    jest.advanceTimersByTime(3000);
    expect(await error).toMatchObject(unreachable);
    await connection.close();
  });
});

describe('a controller that refuses connections', () => {
  let target: Target;
  beforeEach(async () => {
    target = await startTarget();
    await target.stop();
  });

  test('has done nothing', async () => {
    const connection = connect(target);
    const error = await errorOf(connection.call(post));
    expect(error).toMatchObject({ ...unreachable, failure: { reason: 'refused' } });
    await connection.close();
  });
});

describe('a connection that ends before anything was sent', () => {
  let target: Target;
  beforeEach(async () => {
    target = await startTarget();
  });
  afterEach(() => target.stop());

  test('is tried once more', async () => {
    const connection = connect(target);
    target.drop(1);
    expect((await connection.call(post)).status).toBe(200);
    expect(target.connections).toBe(2);
    expect(target.requests).toHaveLength(1);
    await connection.close();
  });

  test('is not tried a third time', async () => {
    const connection = connect(target);
    target.drop(2);
    expect(await errorOf(connection.call(post))).toMatchObject(unreachable);
    expect(target.connections).toBe(2);
    expect(target.requests).toEqual([]);
    await connection.close();
  });
});

test('a name that does not exist is unreachable', async () => {
  const connection = connect({ url: 'https://controller.invalid' }, {}, { deadlineMs: 30_000 });
  expect(await errorOf(connection.call(post))).toMatchObject(unreachable);
  await connection.close();
});
