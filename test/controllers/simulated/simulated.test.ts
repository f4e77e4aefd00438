import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Controller } from '../../../src/controllers/controller.js';
import { checkControllerSettings, controllerKinds } from '../../../src/controllers/kinds.js';
import { makeControllerRegistry } from '../../../src/controllers/registry.js';
import { makeSimulated, simulatedFile } from '../../../src/controllers/simulated/simulated.js';
import { openSqliteFile } from '../../../src/database/sqlite.js';
import { nodeSystem, type System } from '../../../src/lib/system.js';
import { collectVouchers, controllerConformance, orderFor, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { makeClock } from '../../support/clock.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { until } from '../../support/until.js';

describe.each([
  ['that chooses codes', {}, 'not for simulated, its vouchers are told by name and time'],
  ['that gets our codes', { hasOwnCodes: true }, true],
] as const)('the simulated controller %s', (_, settings, repeatable) =>
  controllerConformance(
    async () => {
      const { path: dataDir, remove } = await makeFolder();
      let ahead = 0;
      const now = (): number => Date.now() + ahead;
      const open = (): Controller =>
        makeSimulated({ id: 1, dataDir, settings, system: { ...nodeSystem, now } });
      return {
        connect: open,
        use: async (code) => {
          const file = openSqliteFile(simulatedFile(dataDir, 1), 1, '');
          const ofCode = file('vouchers').where({ code });
          await ofCode.clone().increment('used_count', 1);
          await ofCode
            .clone()
            .whereNull('expires_at')
            .update({ expires_at: file.raw('? + expire_minutes * 60000', [now()]) });
          await file.destroy();
        },
        later: (ms) => {
          ahead += ms;
        },
        fill: async () => {
          const other = open();
          await other.create(orderFor(other, {}, 2500), 2500);
          await other.close();
          return 2500;
        },
        remove,
      };
    },
    {
      paging: true,
      bounds: 'not for simulated, it takes every value',
      sites: 'not for simulated, it has every site that is asked for',
      incremental: 'not for simulated, its whole list is cheap',
      repeatable,
    },
  ),
);

describe('a knob of the simulated controller', () => {
  let folder: TestFolder;
  let ids = 0;
  const opened: Controller[] = [];
  beforeAll(async () => {
    folder = await makeFolder();
  });
  afterAll(async () => {
    for (const controller of opened) await controller.close();
    await folder.remove();
  });
  const open = (settings: Record<string, unknown>, id = ++ids, system: System = nodeSystem): Controller => {
    const controller = makeSimulated({ id, dataDir: folder.path, settings, system });
    opened.push(controller);
    return controller;
  };

  test('latency: it takes at least that long to answer', async () => {
    const controller = open({ latencyMs: 50 });
    const started = performance.now();
    await controller.create(someOrder(), 1);
    // A timer may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(49);
  });

  test('refuse: it refuses and makes none', async () => {
    const controller = open({ fault: 'refuse' });
    await expect(controller.create(someOrder(), 1)).rejects.toMatchObject({ code: 'refused' });
    expect(await collectVouchers(controller)).toEqual([]);
  });

  test('no-voucher: its answer holds no voucher, and it makes none', async () => {
    const controller = open({ fault: 'no-voucher' });
    expect(await controller.create(someOrder(), 1)).toEqual([]);
    expect(await collectVouchers(controller)).toEqual([]);
  });

  test('no-code: it makes the voucher, and its answer holds it without a code', async () => {
    const controller = open({ fault: 'no-code' });
    const [made] = await controller.create(someOrder(), 1);
    expect(made).toMatchObject({ name: someOrder().name, code: undefined });
    expect(await collectVouchers(controller)).toMatchObject([{ id: made!.id, code: expect.any(String) }]);
  });

  test('no-id: it makes the voucher, and its answer holds it without an id', async () => {
    const controller = open({ fault: 'no-id' });
    const [made] = await controller.create(someOrder(), 1);
    expect(made).toMatchObject({ id: null, code: expect.any(String) });
    expect(await collectVouchers(controller)).toMatchObject([{ id: expect.any(String), code: made!.code }]);
  });

  test('disconnect: it makes the voucher, and the connection ends without an answer', async () => {
    const controller = open({ fault: 'disconnect' });
    await expect(controller.create(someOrder(), 1)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      code: 'disconnected',
    });
    expect(await collectVouchers(controller)).toHaveLength(1);
  });

  test('lost-answer: it makes the voucher and never answers', async () => {
    const controller = open({ fault: 'lost-answer' }, 1000);
    let answered = false;
    void controller.create(someOrder(), 1).finally(() => {
      answered = true;
    });
    const other = open({}, 1000);
    await until('the voucher is made', async () => (await collectVouchers(other)).length === 1);
    expect(answered).toBe(false);
  });

  test('a voucher carries the time of the clock', async () => {
    const clock = makeClock();
    const controller = open({}, ++ids, { ...nodeSystem, ...clock });
    const [made] = await controller.create(someOrder(), 1);
    expect(made?.createdAt).toBe(clock.now());
  });

  test('a code may begin with zeros', async () => {
    const zeros: System = { ...nodeSystem, randomBytes: (size) => Buffer.alloc(size, 0) };
    const [made] = await open({}, ++ids, zeros).create(someOrder(), 1);
    expect(made?.code).toBe('0000000000');
  });

  test('a site of the controller has vouchers of its own', async () => {
    const controller = open({});
    const [north] = await controller.create(someOrder({ controllerSite: 'north' }), 1);
    const [south] = await controller.create(someOrder({ controllerSite: 'south' }), 1);
    expect(await collectVouchers(controller, 'north')).toEqual([north]);
    await controller.revoke('north', south!.id!);
    expect(await collectVouchers(controller, 'south')).toEqual([south]);
  });
});

describe('settings that can not be used are refused with what is allowed', () => {
  testCases([
    [{ latencyMs: -1 }, 'latency: -1 is not allowed: whole milliseconds from 0 to 600000'],
    [{ latencyMs: 1.5 }, 'latency: 1.5 is not allowed: whole milliseconds from 0 to 600000'],
    [{ latencyMs: 600_001 }, 'latency: 600001 is not allowed: whole milliseconds from 0 to 600000'],
    [{ latencyMs: '5' }, 'latency: 5 is not allowed: whole milliseconds from 0 to 600000'],
    [
      { fault: 'explode' },
      'fault: explode is not allowed: one of none, refuse, no-voucher, no-code, no-id, disconnect, lost-answer',
    ],
  ])('are refused by their names', (settings, message) => {
    expect(() => {
      checkControllerSettings({ kind: 'simulated', settings });
    }).toThrow(message);
  });

  test('a kind that does not exist', () => {
    expect(() => {
      checkControllerSettings({ kind: 'toaster', settings: {} });
    }).toThrow(`kind: toaster is not allowed: one of ${controllerKinds.join(', ')}`);
  });
});

describe('the registry of controllers', () => {
  test('one live controller is shared until its settings change', async () => {
    const { path: dataDir, remove } = await makeFolder();
    const registry = makeControllerRegistry(someControllerDeps({ dataDir }));
    const spec = {
      id: 1,
      name: 'Demo',
      kind: 'simulated',
      settings: { fault: 'none' },
      sealedCredentials: null,
    };
    const first = registry.get(spec);
    expect(registry.get({ ...spec, settings: { fault: 'none' } })).toBe(first);
    const changed = registry.get({ ...spec, settings: { fault: 'refuse' } });
    expect(changed).not.toBe(first);
    await expect(changed.create(someOrder(), 1)).rejects.toMatchObject({ code: 'refused' });
    await registry.close();
    await remove();
  });
});
