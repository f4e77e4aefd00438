import { describe, expect, test } from '@jest/globals';
import type { VoucherOrder } from '../../../src/controllers/controller.js';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { makeClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { error, ok } from './scriptedConsole.js';
import { consolesOfTest, refusalOf, variants } from './testConsoles.js';

const { start, script, connect } = consolesOfTest();

const creations = 'POST cmd/hotspot create-voucher';
const reads = 'POST stat/voucher';

describe.each(variants)('an order (%s)', (variant) => {
  test('takes exactly two calls: 20 of them take 40 and one login', async () => {
    const console = await start({ variant });
    const controller = connect(console, { deadlineMs: 30_000 });
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => controller.create(someOrder({ name: `n${index % 7}` }), 1)),
    );
    expect(new Set(made.flat().map(({ code }) => code)).size).toBe(20);
    expect(console.counts).toMatchObject({
      calls: 40,
      logins: 1,
      byRoute: { 'GET /': 1, [creations]: 20, [reads]: 20 },
    });
  });

  test('of a name that 20 others have in the same second gets a voucher of its own', async () => {
    const clock = makeClock();
    const console = await start({ variant, clock: clock.now });
    const controller = connect(console);
    const made = await Promise.all(Array.from({ length: 20 }, () => controller.create(someOrder(), 1)));
    expect(new Set(made.flat().map(({ id }) => id)).size).toBe(20);
    expect(new Set(made.flat().map(({ code }) => code))).toEqual(
      new Set(console.vouchers().map(({ code }) => code)),
    );
  });

  test('gets a voucher with its own limits, whatever others of the same name order', async () => {
    const clock = makeClock();
    const console = await start({ variant, clock: clock.now });
    const controller = connect(console);
    const orders = Array.from({ length: 20 }, (_, index): [VoucherOrder, number] => [
      someOrder({
        maxUses: index % 3,
        expireMinutes: index % 2 === 0 ? 60 : 480,
        down: index % 5 === 0 ? 0 : 1000 * (index % 5),
        up: index % 4 === 0 ? 0 : 500,
        quotaMb: index % 7 === 0 ? 0 : 100,
      }),
      1 + (index % 3),
    ]);
    const made = await Promise.all(orders.map(([order, count]) => controller.create(order, count)));
    for (const [index, [order, count]] of orders.entries()) {
      const { controllerSite: _, reference: __, ...limits } = order;
      expect(made[index]).toHaveLength(count);
      for (const voucher of made[index] ?? []) expect(voucher).toMatchObject(limits);
    }
    const ids = made.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(console.vouchers().length);
  });
});

describe('what is sent', () => {
  const sentFor = async (values: Partial<VoucherOrder>, count: number): Promise<unknown> => {
    const console = await script({ api: () => error(400, 'api.err.InvalidArgs') });
    await refusalOf(connect(console).create(someOrder(values), count));
    return console.asked.find(({ path }) => path.endsWith('/cmd/hotspot'))?.json;
  };

  test('are numbers, without the limits that are none', async () => {
    expect(await sentFor({ maxUses: 0, down: 0, up: 0, quotaMb: 0 }, 3)).toEqual({
      cmd: 'create-voucher',
      n: 3,
      quota: 0,
      expire: 480,
      note: '2026-11-14_Familie Berger',
    });
  });

  test('are kbit/s up and down, and megabytes', async () => {
    expect(await sentFor({ maxUses: 5, down: 5000, up: 2000, quotaMb: 700 }, 1)).toEqual({
      cmd: 'create-voucher',
      n: 1,
      quota: 5,
      expire: 480,
      note: '2026-11-14_Familie Berger',
      down: 5000,
      up: 2000,
      bytes: 700,
    });
  });

  testCases([0, 1001, 1.5, -1, NaN])(
    'are never fewer than 1 or more than 1000 vouchers at once',
    async (count) => {
      const console = await script({});
      const refusal = await refusalOf(connect(console).create(someOrder(), count));
      expect(refusal).toMatchObject({ name: 'ControllerError', code: 'bounds' });
      expect(describeInGerman(refusal)).toContain('1 bis 1000');
      expect(console.asked).toEqual([]);
    },
  );

  test('may be 1000 vouchers at once', async () => {
    const console = await start();
    const made = await connect(console).create(someOrder(), 1000);
    expect(new Set(made.map(({ code }) => code)).size).toBe(1000);
  });
});

describe('a voucher that is not visible yet', () => {
  test('is looked for again', async () => {
    const clock = makeClock();
    const console = await start({ hideNewMs: 1000, clock: clock.now });
    const made = connect(console).create(someOrder(), 1);
    await until('it was looked for', () => (console.counts.byRoute[reads] ?? 0) >= 1);
    clock.advance(1000);
    expect((await made)[0]?.code).toBe(console.vouchers()[0]?.code);
    expect(console.counts.byRoute[creations]).toBe(1);
    expect(console.counts.byRoute[reads]).toBeGreaterThan(1);
  });

  test('is not shown after a few times', async () => {
    const console = await start({ hideNewMs: 3_600_000 });
    expect(await connect(console).create(someOrder(), 1)).toEqual([]);
    expect(console.counts.byRoute).toMatchObject({ [creations]: 1, [reads]: 6 });
  });

  test('is not looked for when the time is up', async () => {
    const console = await start({ hideNewMs: 3_600_000 });
    const abort = new AbortController();
    const unknown = refusalOf(connect(console).create(someOrder(), 1, abort.signal));
    await until('it was looked for', () => (console.counts.byRoute[reads] ?? 0) >= 1);
    abort.abort();
    expect((await unknown).name).toBe('OutcomeUnknown');
    const looked = console.counts.byRoute[reads];
    await until('the console has nothing to do', () => console.counts.open === 0);
    expect(console.counts.byRoute[reads]).toBe(looked);
  });
});

describe('among vouchers of the same second', () => {
  const second = 1_790_000_000;
  const row = { create_time: second, note: someOrder().name, duration: 480, quota: 1, used: 0 };
  /** A console that says it made something, and whose vouchers of that second are these. */
  const consoleWith = (rows: readonly unknown[]) =>
    script({
      api: ({ path }) => (path.endsWith('/stat/voucher') ? ok(rows) : ok([{ create_time: second }])),
    });

  test('only one with the name and all limits of the order is taken', async () => {
    const console = await consoleWith([
      { ...row, _id: 'a', code: '0000000001', note: `${row.note} ` },
      { ...row, _id: 'b', code: '0000000002', quota: 0 },
      { ...row, _id: 'c', code: '0000000003', duration: 481 },
      { ...row, _id: 'd', code: '0000000004', qos_rate_max_up: 1 },
      { ...row, _id: 'e', code: '0000000005', qos_rate_max_down: 1 },
      { ...row, _id: 'f', code: '0000000006', qos_usage_quota: '1' },
      { ...row, _id: 'g', code: '0000000007', create_time: second + 1 },
      { ...row, _id: 'h', code: '0000000008', used: 1 },
      { ...row, _id: 'i', code: '0000000009', note: null },
      { ...row, _id: '0', code: '0012345678' },
      null,
    ]);
    expect(await connect(console).create(someOrder(), 1)).toEqual([
      expect.objectContaining({ id: '0', code: '0012345678' }),
    ]);
  });

  test('numbers may come as text', async () => {
    const console = await consoleWith([
      {
        _id: 'a',
        code: '0012345678',
        create_time: String(second),
        note: row.note,
        duration: '480',
        quota: '3',
        used: '0',
        qos_rate_max_down: '5000',
        qos_rate_max_up: '2000',
        qos_usage_quota: '700',
      },
    ]);
    const order = someOrder({ maxUses: 3, down: 5000, up: 2000, quotaMb: 700 });
    const { controllerSite: _, reference: __, ...limits } = order;
    expect(await connect(console).create(order, 1)).toEqual([
      {
        ...limits,
        id: 'a',
        code: '0012345678',
        usedCount: 0,
        createdAt: second * 1000,
        expiresAt: null,
        expired: false,
      },
    ]);
  });

  test('the newest is taken, because an older one may belong to another process', async () => {
    const console = await consoleWith([
      { ...row, _id: '61facea3873fdb075ce28d71', code: '1' },
      { ...row, _id: '61facea3873fdb075ce28d73', code: '3' },
      { ...row, _id: '61facea3873fdb075ce28d72', code: '2' },
    ]);
    const controller = connect(console);
    const codes = [];
    for (let order = 0; order < 3; order += 1) codes.push((await controller.create(someOrder(), 1))[0]?.code);
    expect(codes).toEqual(['3', '2', '1']);
  });
});

describe('of vouchers of the same second that are shown otherwise than they were ordered', () => {
  const second = 1_790_000_000;
  const row = { create_time: second, note: someOrder().name, duration: 480, quota: 1, used: 0 };
  const order = async (rows: readonly unknown[], values: Parameters<typeof connect>[1] = {}) => {
    const console = await script({
      api: ({ path }) => (path.endsWith('/stat/voucher') ? ok(rows) : ok([{ create_time: second }])),
    });
    const made = await connect(console, values).create(someOrder(), 1);
    return { made, looks: console.times('POST /api/s/default/stat/voucher') };
  };
  const recorded = (...codes: string[]): Parameters<typeof connect>[1] => ({
    unrecorded: (_, vouchers) =>
      Promise.resolve(vouchers.filter(({ code }) => code === undefined || !codes.includes(code))),
  });

  testCases([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
  ])('one without a code is told of without one, at once', async (_, code) => {
    const { made, looks } = await order([{ ...row, _id: 'a', code }]);
    expect([made, looks]).toMatchObject([[{ id: 'a', code: undefined }], 1]);
  });

  test('one without an id is taken at once', async () => {
    const { made, looks } = await order([{ ...row, code: '0012345678' }]);
    expect([made, looks]).toMatchObject([[{ id: null, code: '0012345678' }], 1]);
  });

  testCases([
    ['trimmed', ` ${row.note}`, row.note],
    ['composed', row.note.replace('B', 'Ö'), row.note.replace('B', 'O\u0308')],
    ['cut', row.note.slice(0, 20), row.note],
  ])('one whose note was changed on its way is taken at once', async (_, note, name) => {
    const console = await script({
      api: ({ path }) =>
        path.endsWith('/stat/voucher')
          ? ok([{ ...row, _id: 'a', code: '0012345678', note }])
          : ok([{ create_time: second }]),
    });
    const made = await connect(console).create(someOrder({ name }), 1);
    expect(made).toMatchObject([{ id: 'a', code: '0012345678' }]);
    expect(console.times('POST /api/s/default/stat/voucher')).toBe(1);
  });

  test('the only one with the same limits is taken at last, whatever its note is', async () => {
    const { made, looks } = await order([
      { ...row, _id: 'a', code: '0000000001', note: null },
      { ...row, _id: 'b', code: '0000000002', note: 'y', duration: 481 },
    ]);
    expect([made, looks]).toMatchObject([[{ code: '0000000001' }], 6]);
  });

  test('none is taken when several have the same limits, and one when the others are recorded', async () => {
    const rows = [
      { ...row, _id: 'a', code: '0000000001', note: 'x' },
      { ...row, _id: 'b', code: '0000000002', note: 'y' },
    ];
    expect((await order(rows)).made).toEqual([]);
    expect((await order(rows, recorded('0000000002'))).made).toMatchObject([{ code: '0000000001' }]);
  });

  test('one that is recorded is skipped', async () => {
    const rows = [
      { ...row, _id: 'a', code: '0000000001' },
      { ...row, _id: 'b', code: '0000000002' },
    ];
    expect((await order(rows)).made).toMatchObject([{ code: '0000000002' }]);
    expect((await order(rows, recorded('0000000002'))).made).toMatchObject([{ code: '0000000001' }]);
  });

  describe('what is recorded can not be asked', () => {
    const rows = [
      { ...row, _id: 'a', code: '0000000001' },
      { ...row, _id: 'b', code: '0000000002' },
    ];
    const failing = (times: number): Parameters<typeof connect>[1] => {
      let left = times;
      return {
        unrecorded: (_, vouchers) =>
          left-- > 0
            ? Promise.reject(new Error('the database does not answer'))
            : Promise.resolve([...vouchers]),
      };
    };

    test('once: there is another look', async () => {
      const { made, looks } = await order(rows, failing(1));
      expect([made, looks]).toMatchObject([[{ code: '0000000002' }], 2]);
    });

    test('with any look: it stays unknown which one it is', async () => {
      await expect(order(rows, failing(6))).rejects.toMatchObject({
        name: 'OutcomeUnknown',
        code: 'not-read',
      });
    });
  });
});

test('whoever has a voucher reads it before others begin: no order waits behind all of them', async () => {
  const order: string[] = [];
  const console = await script({
    api: ({ path, json }) => {
      if (path.endsWith('/stat/voucher')) {
        order.push('read');
        return ok([
          { _id: String(order.length), code: '1', create_time: 1, note: 'a', duration: 480, quota: 1 },
        ]);
      }
      order.push(String(json?.['cmd']));
      return ok([{ create_time: 1 }]);
    },
  });
  const { url, fingerprint } = console;
  const controller = connect(console, { settings: { url, fingerprint, maxCalls: 1 } });
  await Promise.all(Array.from({ length: 4 }, () => controller.create(someOrder({ name: 'a' }), 1)));
  expect(order).toEqual(Array.from({ length: 4 }, () => ['create-voucher', 'read']).flat());
});

test('no voucher is given out twice when the clock of the controller is put back', async () => {
  const clock = makeClock();
  const console = await start({ clock: clock.now });
  const controller = connect(console, { system: { ...nodeSystem, ...clock } });
  const [first] = await controller.create(someOrder(), 1);
  clock.advance(60_000);
  const [second] = await controller.create(someOrder(), 1);
  clock.advance(-60_000);
  const [third] = await controller.create(someOrder(), 1);
  expect(new Set([first, second, third].map((voucher) => voucher?.id)).size).toBe(3);
});
