import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { drawCodes } from '../../../src/controllers/codes.js';
import type { Controller, VoucherOrder } from '../../../src/controllers/controller.js';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { collectVouchers, orderFor } from '../../conformance/controller.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { startHoldingProxy, type HoldingProxy } from '../../support/holdingProxy.js';
import { until } from '../../support/until.js';
import { onEachDatabase } from './eachDatabase.js';
import type { RadiusDatabase } from './radiusDatabase.js';

onEachDatabase('the database of a FreeRADIUS server', (make) => {
  let database: RadiusDatabase;
  let proxy: HoldingProxy;
  let controller: Controller;

  const connect = (values: { deadlineMs?: number; breakerOpenMs?: number } = {}): Controller => {
    const url = new URL(database.url);
    url.port = String(proxy.port);
    return makeRadiusSql({
      ...someControllerDeps(),
      ...{ name: 'radius', settings: { url: url.href }, credentials: database.credentials },
      ...values,
    });
  };
  const create = (order: VoucherOrder, signal?: AbortSignal) =>
    controller.create(order, order.codes!.length, signal);
  const errorOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  beforeEach(async () => {
    database = await make();
    proxy = await startHoldingProxy(database.port, database.host);
    controller = connect();
  });
  afterEach(async () => {
    await controller.close();
    await proxy.stop();
    await database.drop();
  });

  test('an order that is given up does not end the others that wait for our table', async () => {
    proxy.hold();
    const first = new AbortController();
    const given = errorOf(create(orderFor(controller), first.signal));
    const order = orderFor(controller);
    const waiting = create(order);
    first.abort();
    expect(await given).toMatchObject({ name: 'ControllerError', code: 'timeout' });
    // Also one that comes later is given up at once, and not with the table.
    const second = new AbortController();
    const later = errorOf(create(orderFor(controller), second.signal));
    second.abort();
    expect(await later).toMatchObject({ name: 'ControllerError', code: 'timeout' });
    proxy.letGo();
    expect((await waiting).map(({ code }) => code)).toEqual(order.codes);
    expect(await collectVouchers(controller)).toHaveLength(1);
  });

  test('our table is made again when it was dropped', async () => {
    await create(orderFor(controller));
    for (const ask of [
      () => create(orderFor(controller)),
      () => controller.find!(orderFor(controller), 1),
      () => collectVouchers(controller),
      () => controller.revoke(null, '0123456789'),
    ]) {
      await database.query('drop table voucherd_vouchers');
      await ask();
    }
    // A table of FreeRADIUS is not ours to make.
    await database.query('drop table radreply');
    expect(await errorOf(create(orderFor(controller)))).toMatchObject({
      name: 'ControllerError',
      failure: { kind: 'refused', said: "a table of FreeRADIUS' schema is missing" },
    });
  });

  test.each([
    ['all rows', ''],
    ['the password', ` and attribute = 'Cleartext-Password'`],
    ['the marker', ` and attribute = 'Tmp-String-9'`],
  ])('a user of whom somebody deleted %s is no voucher any more', async (_, which) => {
    const order = orderFor(controller, {}, 2);
    const [gone, left] = await create(order);
    await database.query(`delete from radcheck where username = '${gone!.code!}'${which}`);
    expect(await collectVouchers(controller)).toEqual([left]);
    expect(await controller.find!(order, 2)).toEqual([left]);
  });

  test('an order that is repeated completes a voucher of which half is there', async () => {
    const order = orderFor(controller, { down: 1000 }, 2);
    const made = await create(order);
    const rows = () =>
      database.query(
        'select username, attribute, op, value from radcheck order by username, attribute, value',
      );
    const before = await rows();
    await database.query(
      `delete from radcheck where username = '${order.codes![1]!}' and attribute = 'Cleartext-Password'`,
    );
    expect(await create(order)).toEqual(made);
    expect(await rows()).toEqual(before);
    expect(
      await database.query(`select 1 from radreply where attribute = 'WISPr-Bandwidth-Max-Down'`),
    ).toHaveLength(2);
  });

  test('a voucher has expired by the clock of the database', async () => {
    const [made] = await create(orderFor(controller, { expireMinutes: 60 }));
    await database.query(
      `insert into radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime)
       values ('s', 's', '${made!.code!}', '127.0.0.1', now())`,
    );
    expect(await collectVouchers(controller)).toMatchObject([{ expired: false }]);
    await database.setAhead(61 * 60_000);
    expect(await collectVouchers(controller)).toMatchObject([{ expired: true }]);
  });

  test('a database that falls silent is given up as a whole, and comes back', async () => {
    controller = connect({ deadlineMs: 300, breakerOpenMs: 100 });
    await until('the table is made', () =>
      create(orderFor(controller)).then(
        () => true,
        () => false,
      ),
    );
    const before = await madeCodes();
    proxy.hold();
    // Some are sent and get no answer; then a ping gets none, and nobody else is asked.
    const failures = await Promise.all(
      Array.from({ length: 200 }, () => errorOf(create(orderFor(controller)))),
    );
    const codes = new Set(failures.map((error) => (error as { code: string }).code));
    expect(
      [...codes].every((code) => ['timeout', 'unreachable', 'deadline', 'circuit-open'].includes(code)),
    ).toBe(true);
    await until('the breaker is open', () => controller.connectionState!().isCircuitOpen);
    expect(await errorOf(create(orderFor(controller)))).toMatchObject({ code: 'circuit-open' });
    expect(controller.connectionState!()).toMatchObject({ waiting: 0, inFlight: 0 });
    proxy.letGo();
    await until('the breaker is closed', () => !controller.connectionState!().isCircuitOpen);
    const order = orderFor(controller);
    await until('an order is made', () =>
      create(order).then(
        () => true,
        () => false,
      ),
    );
    expect(await madeCodes()).toEqual([...before, ...order.codes!].sort());
  });

  const madeCodes = async (): Promise<string[]> =>
    (await database.query(`select username from radcheck where attribute = 'Cleartext-Password'`))
      .map(({ username }) => String(username))
      .sort();

  /** Rows that nobody of us wrote, or that somebody has changed. */
  test('hostile rows of the database are taken as values', async () => {
    const [made] = await create(orderFor(controller));
    const [code] = drawCodes(controller.ownCodes!, 1, nodeSystem);
    // As wide as the columns: MySQL's text ends at 64 KiB.
    const name = 'x'.repeat(65_535);
    await database.query(
      `insert into voucherd_vouchers (code, reference, site, name, max_uses, minutes, down, up, quota_mb, created_at)
       values ('${code!}', '', '', '${name}', -1, 9007199254740993, -5, 0, 9223372036854775807, -1)`,
    );
    await database.query(
      `insert into radcheck (username, attribute, op, value) values ('${code!}', 'Cleartext-Password', ':=', ''),
       ('${code!}', 'Tmp-String-9', '==', 'voucherd')`,
    );
    for (const user of [code!, made!.code!])
      await database.query(
        `insert into radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime, acctstoptime,
           acctinputoctets, acctoutputoctets, callingstationid) values
         ('', '${user}', '${user}', '127.0.0.1', null, null, null, null, null)`,
      );
    const listed = await collectVouchers(controller);
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(made);
    const hostile = listed.find((voucher) => voucher.code === code);
    expect(hostile).toMatchObject({ name, maxUses: -1, usedCount: 0, expiresAt: null, expired: false });
    // The code is free for nobody else.
    expect(await errorOf(create(orderFor(controller, { codes: [code!] })))).toMatchObject({
      name: 'ControllerError',
    });
    await controller.revoke(null, code!);
    expect(await collectVouchers(controller)).toEqual([made]);
  });
});
