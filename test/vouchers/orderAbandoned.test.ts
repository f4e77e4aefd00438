import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { makeRotationSafeWriter } from '../../src/secrets/rotationSafeWriter.js';
import { makeControllerRegistry } from '../../src/controllers/registry.js';
import { makeMetrics } from '../../src/metrics/metrics.js';
import { makeUnavailable } from '../../src/errors/httpProblem.js';
import { nodeSystem } from '../../src/lib/system.js';
import { makeSiteDirectory } from '../../src/controllers/siteDirectory.js';
import { openDatabase } from '../../src/database/database.js';
import { makeCreateVouchers } from '../../src/vouchers/createVouchers.js';
import { makeOrderVoucher } from '../../src/vouchers/order.js';
import { withApi } from '../support/api.js';
import { someControllerDeps } from '../support/controllerDeps.js';
import { statementsOf } from '../support/queryLog.js';
import { openRaw, watchServer } from '../support/rawSocket.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';

const api = withApi({ perTest: 'service' });

/** Lets nobody else write while the work goes on. */
const whileLocked = async (work: () => Promise<void>): Promise<void> => {
  const other = openDatabase(`sqlite:${join(api.dataDir, 'voucherd.sqlite')}`);
  try {
    await other.write.raw('BEGIN IMMEDIATE');
    await work();
    await other.write.raw('ROLLBACK');
  } finally {
    await other.close();
  }
};

test.each([
  ['one order', 1],
  ['three orders in a row', 3],
])(
  'orders of clients that sent %s and went away while the database stood still are not made',
  async (_, orders) => {
    // An order that is waited for shows that the controller works.
    await api.createVoucher({ name: 'zuerst' });
    const watched = watchServer();
    const body = JSON.stringify({ site_id: api.siteId, name: 'fort' });
    const request = `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    await whileLocked(async () => {
      const clients = await Promise.all(Array.from({ length: 20 }, () => openRaw(api.url)));
      for (const client of clients) client.write(request.repeat(orders));
      await until('all requests have come', () => watched.sockets().length >= clients.length);
      // Behind them in the order of the service: what follows was begun after them.
      await api.get('/sites.php', { key: api.key });
      for (const { socket } of clients) socket.destroy();
      await until(
        'the service knows that they are gone',
        () => watched.sockets().filter((socket) => socket.destroyed).length >= clients.length,
      );
    });
    watched.stop();
    await api.createVoucher({ name: 'zuletzt' });
    await until('no intent is left', async () => (await rowsOf(api, 'intents')).length === 0);
    const metrics = (await api.get('/metrics')).text;
    const dropped = Number(/^voucherd_dropped_orders_total\{reason="client"\} (\d+)$/m.exec(metrics)?.[1]);
    expect(dropped).toBeGreaterThan(0);
    const lines = api.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const told = lines.filter(({ msg }) => msg === 'order dropped: nobody waits for it');
    expect(told.length).toBeGreaterThanOrEqual(dropped);
    for (const line of told) expect(line).toMatchObject({ level: 20, reason: 'client' });
    const made = await controllerVouchers(api, api.siteId);
    expect(made.map(({ name }) => String(name).replace(/^[\d-]+_/, ''))).toEqual(['zuerst', 'zuletzt']);
  },
);

describe('an order whose deadline passes', () => {
  /** Orders as a handler does, with a deadline that the test decides on. */
  const order = async (signal: AbortSignal): Promise<unknown> => {
    const { tables } = api.app;
    const registry = makeControllerRegistry({ ...someControllerDeps(), dataDir: api.dataDir });
    const metrics = makeMetrics();
    const deps = { tables, system: nodeSystem, deadlineMs: 600_000 };
    const log = pino({ level: 'silent' });
    const { replace: writeSealed } = makeRotationSafeWriter(
      { secretKey: undefined, dataDir: api.dataDir },
      tables.sealed,
      nodeSystem,
    );
    const orderVoucher = makeOrderVoucher({
      ...deps,
      sites: makeSiteDirectory(tables, registry),
      createVouchers: makeCreateVouchers({ ...deps, metrics, log, announced: () => undefined, writeSealed }),
    });
    const qos = { down: 0, up: 0, quota_mb: 0 };
    const wanted = { site_id: api.siteId, name: 'zu spät', max_uses: 1, expire_minutes: 480, qos };
    try {
      return await orderVoucher(wanted, {
        apiKeyId: 1,
        origin: 'api',
        actorName: 'Test',
        address: '192.0.2.7',
        sent: wanted,
        signal,
      });
    } finally {
      await registry.close();
      metrics.stop();
    }
  };

  test('before it is written is not written', async () => {
    const late = AbortSignal.abort(makeUnavailable());
    const statements = await statementsOf(api.database, () =>
      expect(order(late)).rejects.toMatchObject({ code: 'unavailable' }),
    );
    expect(statements.filter((sql) => /intents/.test(sql))).toEqual([]);
  });

  test('while it is written asks no controller, and is removed', async () => {
    // An order that is waited for shows that the controller works.
    await order(new AbortController().signal);
    const deadline = new AbortController();
    const strike = ({ sql }: { sql: string }): void => {
      if (/^insert into .?intents/.test(sql)) deadline.abort(makeUnavailable());
    };
    api.database.write.on('query', strike);
    await expect(order(deadline.signal)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await controllerVouchers(api, api.siteId)).toHaveLength(1);
    expect(await rowsOf(api, 'intents')).toEqual([]);
  });
});
