import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { ControllerError } from '../../../src/controllers/errors.js';
import { makeCircuitBreaker } from '../../../src/controllers/https/circuitBreaker.js';
import type { Connection } from '../../../src/controllers/https/connection.js';
import { until } from '../../support/until.js';
import { connect, errorOf, startTarget, well, type Target } from './target.js';

const post = { method: 'POST', path: '/order', json: {} } as const;
const circuitOpen = {
  name: 'ControllerError',
  code: 'circuit-open',
  controller: 'Zentrale',
  failure: { seconds: expect.any(Number) },
};

let target: Target;
let connection: Connection;
let lines: { level: number; msg: string; controller: string }[];

const open = (breakerOpenMs: number, maxCalls = 4): Connection => {
  lines = [];
  const log = pino(
    {},
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  connection = connect(target, { maxCalls }, { log, breakerOpenMs });
  return connection;
};
const failFiveTimes = async (): Promise<void> => {
  for (let failed = 0; failed < 5; failed += 1) await connection.call(post).catch(() => undefined);
};
/** The breaker stays open in this test. */
const long = 600_000;

beforeEach(async () => {
  target = await startTarget();
});
afterEach(async () => {
  await connection.close();
  await target.stop();
});

test('a controller that fails five times in a row costs no connection any more', async () => {
  open(long);
  await target.stop();
  await failFiveTimes();
  const back = await startTarget(well, { port: target.port, certificate: target.certificate });
  expect(await errorOf(connection.call(post))).toMatchObject(circuitOpen);
  expect(await errorOf(connection.stream(post))).toMatchObject(circuitOpen);
  expect(back.connections).toBe(0);
  await back.stop();
});

test.each([
  ['it can not be reached', () => target.stop()],
  ['it drops the connection', () => target.answer((response) => void response.destroy())],
  [
    'it answers with a page of a proxy',
    () => target.answer((response) => void response.writeHead(502).end('<html>')),
  ],
  [
    'it answers with an error of its own',
    () => target.answer((response) => void response.writeHead(500).end('{}')),
  ],
  [
    'it breaks its answers off',
    () => target.answer((response) => void response.write('{', () => response.destroy())),
  ],
] as [string, () => Promise<void> | void][])('it is a failure when %s', async (_, fail) => {
  open(long);
  await fail();
  await failFiveTimes();
  expect(await errorOf(connection.call(post))).toMatchObject(circuitOpen);
});

const ordersOf = (): number => target.requests.filter(({ path }) => path === '/order').length;
const pingsOf = (): number => target.requests.filter(({ path }) => path === '/ping').length;

test.each([
  [1, 1],
  [1, 4],
  [4, 4],
  [8, 64],
])(
  'when all calls in flight have timed out (%i of at most %i) and a ping does, too, those who wait are told at once',
  async (inFlight, maxCalls) => {
    open(long, maxCalls);
    target.answer(() => undefined);
    const abort = new AbortController();
    const failing = Array.from({ length: inFlight }, () =>
      errorOf(connection.call({ ...post, signal: abort.signal })),
    );
    await until('they have arrived', () => ordersOf() === inFlight);
    const isFull = inFlight === maxCalls;
    const early = isFull ? [1, 2, 3].map(() => errorOf(connection.call(post))) : [];
    abort.abort();
    for (const error of await Promise.all(failing)) expect(error).toMatchObject({ code: 'timeout' });
    const waiting = [...early, errorOf(connection.call(post)), errorOf(connection.stream(post))];
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject(circuitOpen);
    expect(ordersOf()).toBe(inFlight);
    expect(pingsOf()).toBeLessThanOrEqual(1);
  },
);

test('a call that times out while others are answered is no reason for a ping', async () => {
  open(long);
  target.answer((response, { path }) => {
    if (path !== '/slow') response.end('{}');
  });
  const abort = new AbortController();
  const slow = errorOf(connection.call({ ...post, path: '/slow', signal: abort.signal }));
  await until('it has arrived', () => target.requests.length === 1);
  await connection.call(post);
  abort.abort();
  expect(await slow).toMatchObject({ code: 'timeout' });
  await connection.call(post);
  expect(pingsOf()).toBe(0);
});

test('a call that times out alone costs nobody an order when the controller answers a ping', async () => {
  open(long);
  target.answer((response, { path }) => {
    if (path !== '/slow') response.end('{}');
  });
  const abort = new AbortController();
  const slow = errorOf(connection.call({ ...post, path: '/slow', signal: abort.signal }));
  await until('it has arrived', () => target.requests.length === 1);
  abort.abort();
  await slow;
  expect((await connection.call(post)).status).toBe(200);
  expect(target.requests.map(({ path }) => path)).toEqual(['/slow', '/ping', '/order']);
  expect(lines).toEqual([]);
});

test('who has no time to wait for the ping leaves, and has sent nothing', async () => {
  open(long, 1);
  target.answer(() => undefined);
  const [first, second] = [new AbortController(), new AbortController()];
  const failing = errorOf(connection.call({ ...post, signal: first.signal }));
  await until('it has arrived', () => ordersOf() === 1);
  first.abort();
  await failing;
  const waiting = errorOf(connection.call({ ...post, signal: second.signal }));
  second.abort();
  expect(await waiting).toMatchObject({ name: 'ControllerError' });
  expect(ordersOf()).toBe(1);
});

test.each([400, 401, 403, 404, 429])('an answer of status %i is none', async (status) => {
  open(long);
  target.answer((response) => void response.writeHead(status).end('{}'));
  for (let asked = 0; asked < 8; asked += 1) expect((await connection.call(post)).status).toBe(status);
});

test('a success in between begins the count anew', async () => {
  open(long);
  for (const status of [500, 500, 500, 500, 200, 500, 500, 500, 500]) {
    target.answer((response) => void response.writeHead(status).end('{}'));
    expect((await connection.call(post)).status).toBe(status);
  }
});

test('it is found to be back by a ping, never by an order', async () => {
  open(20);
  target.answer((response) => void response.writeHead(503).end());
  await failFiveTimes();
  const pings = (): number => target.requests.filter(({ path }) => path === '/ping').length;
  await until('it was pinged twice', () => pings() >= 2);
  expect(await errorOf(connection.call(post))).toMatchObject(circuitOpen);
  expect(target.requests.filter(({ path }) => path === '/order')).toHaveLength(5);
  // Any answer below 500 is one.
  target.answer((response) => void response.writeHead(401).end());
  await until('it is asked again', () =>
    connection.call(post).then(
      () => true,
      () => false,
    ),
  );
  const before = pings();
  await failFiveTimes();
  expect(pings()).toBe(before);
});

test('it is found to be back when it was gone', async () => {
  open(20);
  await target.stop();
  await failFiveTimes();
  const back = await startTarget(well, { port: target.port, certificate: target.certificate });
  await until('it is asked again', () =>
    connection.call(post).then(
      () => true,
      () => false,
    ),
  );
  expect(back.requests[0]).toMatchObject({ method: 'GET', path: '/ping' });
  await connection.close();
  await back.stop();
});

test('one line is logged when the breaker opens, and one when it closes', async () => {
  open(20);
  target.answer((response) => void response.writeHead(503).end());
  await failFiveTimes();
  await until('it was pinged three times', () => target.requests.length >= 8);
  target.answer(well);
  await until('it is back', () => lines.length >= 2);
  await connection.call(post);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      controller: 'Zentrale',
      msg: 'circuit breaker opened: controller keeps failing',
    }),
    expect.objectContaining({
      level: 30,
      controller: 'Zentrale',
      msg: 'circuit breaker closed: controller answers again',
    }),
  ]);
});

test('the pings become rarer, and end when the connection is closed', async () => {
  open(long);
  const unreachable = new ControllerError('Zentrale', { kind: 'unreachable', reason: 'refused' });
  let pings = 0;
  let answer = (): void => undefined;
  jest.useFakeTimers({ advanceTimers: false });
  const breaker = makeCircuitBreaker({
    name: 'Zentrale',
    log: pino({ level: 'silent' }),
    ping: () => {
      pings += 1;
      return new Promise((_, reject) => {
        answer = () => reject(unreachable);
      });
    },
  });
  try {
    for (let failed = 0; failed < 5; failed += 1)
      await errorOf(breaker.execute(() => Promise.reject(unreachable)));
    // It stays open for twice as long each time, up to the maximum.
    for (const [index, openMs] of [1000, 2000, 4000, 8000, 10_000, 10_000].entries()) {
      await jest.advanceTimersByTimeAsync(openMs - 1);
      expect(pings).toBe(index);
      await jest.advanceTimersByTimeAsync(1);
      expect(pings).toBe(index + 1);
      if (index < 5) answer();
      await jest.advanceTimersByTimeAsync(0);
    }
    breaker.close();
    answer();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(pings).toBe(6);
  } finally {
    jest.useRealTimers();
  }
});
