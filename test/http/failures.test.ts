import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { loadContract } from '../../src/contract/contract.js';
import { makeResolveOrigin } from '../../src/http/description.js';
import { makeObserveRequest } from '../../src/http/response.js';
import { makeReloadableContract } from '../../src/http/servedContract.js';
import { makeGracefulShutdown, startHttpServer } from '../../src/http/server.js';
import { makeMetrics } from '../../src/lib/metrics.js';
import { contractFile } from '../support/contract.js';
import { send } from '../support/service.js';

let ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

const lines: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });

/** A service with a handler whose reply has a header that HTTP can not carry. Its other operations are examples. */
const startBroken = async (): Promise<string> => {
  const metrics = makeMetrics();
  const observe = makeObserveRequest(log, metrics);
  const contracts = await makeReloadableContract<string, undefined>(loadContract(contractFile), {
    basePath: '',
    access: { anonymous: 'test', authenticate: () => 'test', count: () => undefined, permits: () => true },
    handlers: {
      listSites: ({ reply }) => Promise.resolve(reply(200, { sites: [] }, { 'X-Site': 'Haus – 1' })),
    },
    services: undefined,
    mocks: 'missing',
    onViolation: () => undefined,
    resolveOrigin: makeResolveOrigin([]),
    log,
    metrics,
    observe,
    admission: { enter: () => true, leave: () => undefined },
    requestDeadlineMs: 10_000,
    prefixOf: (key) => key,
  });
  let count = 0;
  const { url, drain } = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    contracts,
    pages: (_req, res) => void res.writeHead(404).end(),
    observe,
    log,
    metrics,
    newRequestId: () => `request-${String((count += 1))}`,
    maxConnections: 100,
    keepAliveTimeoutMs: 75_000,
    slowestAnswerMs: 10_000,
  });
  ends.push(drain, metrics.stop);
  return url;
};

test('an answer that can not be written is a 500 with the reason in the log, and the service goes on', async () => {
  const url = await startBroken();
  for (let round = 0; round < 2; round += 1) {
    const answer = await send(url, 'GET', '/sites.php');
    expect(answer).toMatchObject({ status: 500, body: { error: 'server_error' } });
    const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const own = said.filter(({ reqId }) => reqId === answer.headers['x-request-id']);
    expect(own).toEqual([
      expect.objectContaining({
        level: 50,
        msg: 'request failed',
        err: expect.objectContaining({ message: expect.stringContaining('X-Site') }),
      }),
      expect.objectContaining({ status: 500 }),
    ]);
  }
  expect((await send(url, 'POST', '/vouchers.php', { body: { site_id: 1, name: 'x' } })).status).toBe(201);
});

test('work that fails is forgotten like work that is done', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  ends.push(() => void process.off('unhandledRejection', note));
  const { track } = makeGracefulShutdown();
  const work = Promise.reject(new Error('lost'));
  track({} as never, {} as never, work);
  await expect(work).rejects.toThrow('lost');
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});
