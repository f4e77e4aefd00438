import { describe, expect, test } from '@jest/globals';
import type { SimulatedOmadaOptions } from '../../../simulators/omada/settings.js';
import type { Controller } from '../../../src/controllers/controller.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { endsAfterEach } from '../../support/fixture.js';
import { startTestOmada, type TestOmada } from '../../support/omadaController.js';

const ends = endsAfterEach();

const start = async (
  options: SimulatedOmadaOptions = {},
): Promise<TestOmada & { controller: Controller }> => {
  const running = await startTestOmada(options);
  ends.push(() => running.omada.stop());
  const controller = running.connect();
  ends.push(() => controller.close());
  return { ...running, controller };
};

const refused = (code: string) => expect.objectContaining({ name: 'ControllerError', code });

describe('the token', () => {
  test('is asked for once, however many calls begin at the same time', async () => {
    const { omada, controller } = await start();
    await Promise.all(Array.from({ length: 20 }, () => controller.create(someOrder(), 1)));
    expect(omada.counts.logins).toBe(1);
    expect(omada.vouchers()).toHaveLength(20);
  });

  test('is renewed when it has expired, and the call is carried out once', async () => {
    const { omada, controller, later } = await start();
    await controller.create(someOrder(), 1);
    later(7_200_001);
    await controller.create(someOrder(), 1);
    omada.expireTokens();
    expect(await collectVouchers(controller)).toHaveLength(2);
    expect(omada.counts.logins).toBe(3);
    expect(omada.vouchers()).toHaveLength(2);
  });

  test('is renewed once only: a token that is refused at once is an error', async () => {
    const { omada, controller } = await start({ tokenTtlMs: 0 });
    await expect(controller.create(someOrder(), 1)).rejects.toEqual(refused('refused'));
    expect(omada.counts.logins).toBe(2);
    expect(omada.vouchers()).toEqual([]);
  });

  testCases([
    ['a wrong secret', {}, { clientSecret: 'falsch' }, '-44106'],
    ['a wrong client ID', {}, { clientId: 'falsch' }, '-44106'],
    ['an application in authorization code mode', { codeMode: true }, {}, '-44111'],
  ])('wrong credentials are refused as such', async (_, options, wrong, said) => {
    const { connect, spec } = await start(options);
    const controller = connect({ credentials: { ...spec.credentials, ...wrong } });
    ends.push(() => controller.close());
    const error: unknown = await controller.probe().catch((thrown: unknown) => thrown);
    expect(error).toEqual(refused('credentials'));
    expect(String(error)).toContain(said);
    expect(String(error)).toContain('client ID');
  });

  test('white space around pasted credentials does no harm', async () => {
    const { connect, spec } = await start();
    const { clientId, clientSecret } = spec.credentials;
    const controller = connect({
      credentials: { clientId: ` ${clientId}\n`, clientSecret: `${clientSecret}\r\n` },
    });
    ends.push(() => controller.close());
    expect((await controller.probe()).version).toBe('6.1.0.19');
  });
});

describe('an order', () => {
  test('is a voucher group with a short, unique name, and the whole name in its description', async () => {
    const { omada, controller } = await start();
    const order = someOrder({ name: `2026-11-14_${'𝒳'.repeat(40)}` });
    const [made] = await controller.create(order, 1);
    expect(made?.name).toBe(order.name);
    const [name = ''] = omada.groupNames();
    expect(name.length).toBeLessThanOrEqual(32);
    expect(name).toMatch(/^2026-11-14_𝒳+ [0-9a-v]{12}$/u);
  });

  test('whose name is longer than a description keeps as much of it as fits, in whole characters', async () => {
    const { controller } = await start();
    const order = someOrder({ name: `2026-11-14_${'𝒳'.repeat(255)}` });
    const [made] = await controller.create(order, 1);
    expect(made?.name).toBe(`2026-11-14_${'𝒳'.repeat(250)}`);
  });

  test('that is larger than a group is refused', async () => {
    const { omada, controller } = await start();
    await expect(controller.create(someOrder(), 5001)).rejects.toEqual(refused('bounds'));
    expect(omada.vouchers()).toEqual([]);
  });

  test('of many vouchers is read back page by page', async () => {
    const { controller } = await start();
    const made = await controller.create(someOrder(), 2100);
    expect(new Set(made.map(({ code }) => code)).size).toBe(2100);
  });

  testCases([
    [{ readOnly: true }, 'permission'],
    [{ capacity: 0 }, 'refused'],
    [{ version: '5.8.4' }, 'unreadable'],
  ])('on a controller that lacks what is needed it is refused', async (options, code) => {
    const { omada, controller } = await start(options);
    await expect(controller.create(someOrder(), 1)).rejects.toEqual(refused(code));
    expect(omada.vouchers()).toEqual([]);
  });

  test('without a site goes to the only one, and is refused where there are several', async () => {
    const sites = ['a', 'b'].map((id) => ({ id, name: `Haus ${id}` }));
    const { omada, controller } = await start({ sites });
    const error: unknown = await controller.create(someOrder(), 1).catch((thrown: unknown) => thrown);
    expect(error).toEqual(refused('site'));
    expect(String(error)).toMatch(/a, b/);
    await controller.create(someOrder({ controllerSite: 'b' }), 1);
    expect(omada.vouchers('b')).toHaveLength(1);
    expect(omada.vouchers('a')).toEqual([]);
  });

  test('waits while the controller answers that it is asked too often', async () => {
    const { omada, controller } = await start();
    await controller.probe();
    omada.fault({ kind: 'throttled', times: 1 });
    expect(await controller.create(someOrder(), 1)).toHaveLength(1);
    expect(omada.vouchers()).toHaveLength(1);
  });

  test('whose answer is lost is unknown, and found by its name, which may have been altered', async () => {
    const { omada, controller } = await start({
      keepName: (name) => name.slice(-20).toUpperCase().toLowerCase(),
    });
    omada.fault({ kind: 'reset-after', times: 1 });
    const order = someOrder();
    await expect(controller.create(order, 2)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
    const found = await controller.find!(order, 2);
    expect(found).toHaveLength(2);
    expect(await controller.create(order, 2)).toEqual(found);
    expect(omada.vouchers()).toHaveLength(2);
  });

  test.each(['no-list', 'empty-list', 'null-voucher', 'no-id'] as const)(
    'whose vouchers are not shown (%s) is unknown, never refused',
    async (kind) => {
      const { omada, controller } = await start();
      omada.fault({ kind });
      const order = someOrder();
      await expect(controller.create(order, 1)).rejects.toMatchObject({
        name: 'OutcomeUnknown',
        code: 'not-read',
      });
      omada.fault(undefined);
      expect(await controller.find!(order, 1)).toHaveLength(1);
    },
  );

  testCases(['part', 'begin', 'whole'] as const)('is found whatever a search finds', async (search) => {
    const { controller } = await start({ search });
    const order = someOrder();
    const made = await controller.create(order, 2);
    expect(made).toHaveLength(2);
    expect(await controller.find!(order, 2)).toEqual(made);
    expect(await controller.find!(someOrder(), 1)).toEqual([]);
  });

  test('whose codes appear late is complete', async () => {
    const { controller } = await start({ hideNewMs: 200 });
    const made = await controller.create(someOrder(), 3);
    expect(made).toHaveLength(3);
    expect(await collectVouchers(controller)).toEqual(made);
  });

  test('whose codes never appear returns what there is', async () => {
    const { controller } = await start({ hideNewMs: 3_600_000 });
    expect(await controller.create(someOrder(), 1)).toEqual([]);
  });
});

describe('revoking', () => {
  testCases(['ok', 'error'] as const)('a voucher that is gone is no error', async (unknownDelete) => {
    const { omada, controller } = await start({ unknownDelete });
    const [made] = await controller.create(someOrder(), 1);
    omada.remove(made!.code!);
    await controller.revoke(null, made!.id!);
  });

  test('without the permission is refused, and the voucher stays', async () => {
    const { omada, controller } = await start({ readOnly: true });
    omada.seed(1);
    const [voucher] = await collectVouchers(controller);
    await expect(controller.revoke(null, voucher!.id!)).rejects.toEqual(refused('permission'));
    expect(omada.vouchers()).toHaveLength(1);
  });
});

test('groups that have not changed are not read again', async () => {
  const { omada, controller } = await start();
  omada.seed(30);
  expect(await collectVouchers(controller)).toHaveLength(30);
  const [first] = omada.vouchers();
  omada.use(first!.code);
  omada.resetCounts();
  const listed = await collectVouchers(controller);
  expect(listed.filter(({ usedCount }) => usedCount === 1)).toHaveLength(1);
  expect(omada.counts.byRoute).toEqual({ 'GET voucher-groups': 1, 'GET voucher-groups/{id}': 1 });
});

test('vouchers that can not be used again are asked for once', async () => {
  const { omada, controller, later } = await start();
  const [ended, usedUp, going] = await controller.create(someOrder({ maxUses: 2, expireMinutes: 60 }), 3);
  for (const code of [ended!.code!, usedUp!.code!, usedUp!.code!]) omada.use(code);
  await collectVouchers(controller);
  omada.use(going!.code!);
  omada.resetCounts();
  expect((await collectVouchers(controller)).map(({ usedCount }) => usedCount).sort()).toEqual([1, 1, 2]);
  expect(omada.counts.byRoute['GET vouchers/{id}']).toBe(2);
  later(3_600_001);
  await collectVouchers(controller);
  omada.resetCounts();
  expect((await collectVouchers(controller)).map(({ usedCount }) => usedCount).sort()).toEqual([1, 1, 2]);
  expect(omada.counts.byRoute['GET vouchers/{id}'] ?? 0).toBe(0);
});

test('a clock that is wrong does not move the end of a voucher', async () => {
  const { omada, controller, surroundings } = await start({ clock: () => Date.now() - 3 * 3_600_000 });
  const [made] = await controller.create(someOrder({ expireMinutes: 60 }), 1);
  omada.use(made!.code!);
  const [used] = await collectVouchers(controller);
  expect(Math.abs(used!.expiresAt! - surroundings.system.now() - 3_600_000)).toBeLessThan(600_000);
});
