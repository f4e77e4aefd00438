import { describe, expect, test } from '@jest/globals';
import type { SimulatedMikrotikOptions } from '../../../simulators/mikrotik/settings.js';
import { CodesTaken } from '../../../src/controllers/errors.js';
import { collectVouchers, orderFor } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { endsAfterEach } from '../../support/fixture.js';
import { startConnectedMikrotik } from '../../support/mikrotikRouter.js';

const ends = endsAfterEach();
const start = (options?: SimulatedMikrotikOptions) => startConnectedMikrotik(ends, options);

const refused = (code: string) => expect.objectContaining({ name: 'ControllerError', code });
const limits = { maxUses: 3, expireMinutes: 90, down: 5000, up: 2000, quotaMb: 700 };
const minutesMs = 60_000;
const modes = ['absent', 'on'] as const;

describe('a voucher', () => {
  test('is a user of the hotspot, and what only profiles can keep is in one', async () => {
    const { router, controller } = await start();
    const [made] = await controller.create(orderFor(controller, limits), 1);
    const code = made!.code!;
    expect(router.items('/ip/hotspot/user')).toEqual([
      expect.objectContaining({
        name: code,
        password: code,
        server: 'all',
        profile: 'vd-3-5000-2000',
        'limit-uptime': '4h30m',
        'limit-bytes-total': '700000000',
      }),
    ]);
    expect(router.items('/ip/hotspot/user/profile')).toContainEqual(
      expect.objectContaining({ name: 'vd-3-5000-2000', 'shared-users': '3', 'rate-limit': '2000k/5000k' }),
    );
  });

  test('is a user of User Manager with a profile that begins at the first sign-in', async () => {
    const { router, controller } = await start({ userManager: 'on' });
    const [made] = await controller.create(orderFor(controller, limits), 1);
    const code = made!.code!;
    const profile = 'vd-90m-5000-2000-700';
    expect(router.items('/ip/hotspot/user')).toEqual([]);
    expect(router.items('/user-manager/user')).toEqual([
      expect.objectContaining({ name: code, password: code, 'shared-users': '3' }),
    ]);
    expect(router.items('/user-manager/user-profile')).toEqual([
      expect.objectContaining({ user: code, profile }),
    ]);
    expect(router.items('/user-manager/profile')).toEqual([
      expect.objectContaining({ name: profile, validity: '1h30m', 'starts-when': 'first-auth' }),
    ]);
    expect(router.items('/user-manager/limitation')).toEqual([
      expect.objectContaining({
        name: profile,
        'rate-limit-rx': '2000000',
        'rate-limit-tx': '5000000',
        'transfer-limit': '700000000',
      }),
    ]);
    expect(router.items('/user-manager/profile-limitation')).toEqual([
      expect.objectContaining({ profile, limitation: profile }),
    ]);
  });

  test('for any number of devices has no limit of them, and its time is not added up', async () => {
    const { router, controller } = await start();
    await controller.create(orderFor(controller, { maxUses: 0 }), 1);
    const [user] = router.items('/ip/hotspot/user');
    expect(user?.['limit-uptime']).toBeUndefined();
    expect(router.items('/ip/hotspot/user/profile')).toContainEqual(
      expect.objectContaining({ name: user?.['profile'], 'shared-users': 'unlimited' }),
    );
  });

  test('of a site is for the hotspot server of that name', async () => {
    const { router, controller } = await start({ servers: ['haus', 'garten'] });
    await controller.create(orderFor(controller, { controllerSite: 'garten' }), 1);
    expect(router.items('/ip/hotspot/user')[0]).toMatchObject({ server: 'garten' });
    expect(await collectVouchers(controller, 'garten')).toHaveLength(1);
    expect(await collectVouchers(controller, 'haus')).toEqual([]);
  });
});

describe.each(modes)('an order whose answer is lost (User Manager: %s)', (userManager) => {
  test.each(['reset-after', 'truncated', 'bad-gateway', 'hang'] as const)(
    'by %s is unknown, and is made whole by its repetition, with the same codes',
    async (kind) => {
      const { router, controller, connect } = await start({ userManager });
      const first = connect(kind === 'hang' ? { deadlineMs: 5000 } : {});
      ends.push(() => first.close());
      router.fault({ kind, times: 1 });
      const order = orderFor(controller, {}, 3);
      await expect(first.create(order, 3)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
      router.fault(undefined);
      const made = await controller.create(order, 3);
      expect(made.map(({ code }) => code)).toEqual(order.codes);
      expect(await controller.find!(order, 3)).toEqual(made);
      expect(router.vouchers()).toHaveLength(3);
      expect(router.items('/user-manager/user-profile')).toHaveLength(userManager === 'on' ? 3 : 0);
    },
  );

  test.each(['no-list', 'empty-list', 'null-voucher', 'no-code'] as const)(
    'in reading back (%s) is not refused',
    async (kind) => {
      const { router, controller } = await start({ userManager });
      const order = orderFor(controller);
      router.fault({ kind });
      const shown: unknown = await controller.create(order, 1).catch((error: unknown) => error);
      expect(shown).toEqual(Array.isArray(shown) ? [] : expect.objectContaining({ name: 'OutcomeUnknown' }));
      router.fault(undefined);
      expect(await controller.find!(order, 1)).toHaveLength(1);
    },
  );

  test('or is refused in part leaves nothing', async () => {
    const { router, controller } = await start({ userManager });
    const order = orderFor(controller, {}, 3);
    router.fault({ kind: 'throttled', times: 1 });
    await expect(controller.create(order, 3)).rejects.toEqual(refused('throttled'));
    expect(router.items('/ip/hotspot/user')).toEqual([]);
    expect(router.items('/user-manager/user')).toEqual([]);
  });
});

describe('a code', () => {
  test.each(modes)('that a user of somebody else has is taken (User Manager: %s)', async (userManager) => {
    const { router, controller } = await start({ userManager });
    router.seed(1);
    const order = orderFor(controller, {}, 2);
    const codes = [order.codes![0]!, 'gast1'];
    await expect(controller.create({ ...order, codes }, 2)).rejects.toThrow(CodesTaken);
    expect(await collectVouchers(controller)).toEqual([]);
    expect(router.items('/ip/hotspot/user')).toHaveLength(1);
  });
});

describe('users of the hotspot', () => {
  test('are valid from the first use, online or not, and are disabled and disconnected at the end', async () => {
    const { router, controller, later } = await start();
    const [made] = await controller.create(orderFor(controller, { maxUses: 2, expireMinutes: 60 }), 1);
    const code = made!.code!;
    router.use(code);
    later(10 * minutesMs);
    router.leave(code);
    // Nobody has looked until now: what counts is how long the guest was connected, at least.
    const [seen] = await collectVouchers(controller);
    expect(seen).toMatchObject({ usedCount: 1, expired: false });
    later(20 * minutesMs);
    expect(await collectVouchers(controller)).toEqual([seen]);
    router.use(code, 2);
    const [both] = await collectVouchers(controller);
    expect(both).toEqual({ ...seen, usedCount: 2 });
    later(45 * minutesMs);
    expect(await collectVouchers(controller)).toEqual([{ ...both, expired: true }]);
    expect(router.items('/ip/hotspot/active')).toEqual([]);
    expect(router.items('/ip/hotspot/cookie')).toEqual([]);
    expect(() => router.use(code)).toThrow(/expired/);
    expect(await collectVouchers(controller)).toEqual([{ ...both, expired: true }]);
  });

  test('remember their first use on the router, for a service that was started again', async () => {
    const { router, controller, connect, later } = await start();
    const [made] = await controller.create(orderFor(controller, { expireMinutes: 60 }), 1);
    router.use(made!.code!);
    const [seen] = await collectVouchers(controller);
    later(30 * minutesMs);
    const other = connect();
    ends.push(() => other.close());
    expect(await collectVouchers(other)).toEqual([seen]);
  });

  test('that somebody else has made are left alone', async () => {
    const { router, controller } = await start();
    router.seed(1);
    router.use('gast1');
    expect(await collectVouchers(controller)).toEqual([]);
    await controller.revoke(null, 'gast1');
    expect(router.items('/ip/hotspot/user')).toHaveLength(1);
  });
});

describe('User Manager', () => {
  testCases([
    ['7.16.1', 60],
    ['7.9', -300],
  ])('tells the end by its local time, however it writes it', async (version, zoneMinutes) => {
    const { router, controller, later } = await start({ userManager: 'on', version, zoneMinutes });
    const [made] = await controller.create(orderFor(controller, { maxUses: 2, expireMinutes: 60 }), 1);
    router.use(made!.code!);
    const [used] = await collectVouchers(controller);
    expect(Math.abs(used!.expiresAt! - Date.now() - 60 * minutesMs)).toBeLessThan(5 * minutesMs);
    later(61 * minutesMs);
    expect(await collectVouchers(controller)).toEqual([{ ...used, expired: true }]);
  });

  test('that is installed and not in use is not used, and the test says so', async () => {
    const { router, controller } = await start({ userManager: 'off' });
    await controller.create(orderFor(controller), 1);
    expect(router.items('/ip/hotspot/user')).toHaveLength(1);
    expect((await controller.probe()).advice).toEqual([
      expect.objectContaining({ lines: expect.stringContaining('use-profiles=yes') }),
    ]);
  });

  test('is not used where its use is switched off', async () => {
    const { router, connect, spec } = await start({ userManager: 'on' });
    const controller = connect({ settings: { ...spec.settings, userManager: 'no' } });
    ends.push(() => controller.close());
    await controller.create(orderFor(controller), 1);
    expect(router.items('/ip/hotspot/user')).toHaveLength(1);
    expect(router.items('/user-manager/user')).toEqual([]);
  });

  test('that no hotspot asks is named by the test', async () => {
    const { controller } = await start({ userManager: 'on', usesRadius: false });
    expect((await controller.probe()).advice).toEqual([
      expect.objectContaining({ lines: expect.stringContaining('use-radius=yes') }),
    ]);
  });
});

test('a router without a hotspot is named by the test', async () => {
  const { controller } = await start({ servers: [] });
  expect((await controller.probe()).advice).toEqual([
    expect.objectContaining({ lines: expect.stringContaining('/ip hotspot setup') }),
  ]);
});

describe.each(modes)('a voucher (User Manager: %s)', (userManager) => {
  test('whose volume is used up has expired', async () => {
    const { router, controller } = await start({ userManager });
    const [made] = await controller.create(orderFor(controller, { quotaMb: 10 }), 1);
    router.use(made!.code!);
    router.transfer(made!.code!, 9_999_999);
    expect(await collectVouchers(controller)).toMatchObject([{ expired: false }]);
    router.transfer(made!.code!, 10_000_000);
    expect(await collectVouchers(controller)).toMatchObject([{ expired: true }]);
  });

  test('that is revoked can not be used any more, and its guests are disconnected', async () => {
    const { router, controller } = await start({ userManager });
    const [made] = await controller.create(orderFor(controller, { maxUses: 2 }), 1);
    const code = made!.code!;
    router.use(code, 2);
    await controller.revoke(null, code);
    await controller.disconnect!(null, code);
    expect(router.items('/ip/hotspot/active')).toEqual([]);
    expect(router.items('/ip/hotspot/cookie')).toEqual([]);
    expect(router.items('/user-manager/user')).toEqual([]);
    expect(router.items('/user-manager/user-profile')).toEqual([]);
    expect(() => router.use(code)).toThrow(/no user/);
    expect(await collectVouchers(controller)).toEqual([]);
  });
});

describe('the account', () => {
  test('that is refused is not tried again at once: each attempt is a line in the log of the router', async () => {
    const { router, connect, spec, later } = await start();
    const controller = connect({ credentials: { ...spec.credentials, password: 'falsch' } });
    ends.push(() => controller.close());
    await expect(controller.probe()).rejects.toEqual(refused('credentials'));
    await expect(controller.create(orderFor(controller), 1)).rejects.toEqual(refused('credentials'));
    expect(router.counts.byRoute).toEqual({ 'GET /system/resource': 1 });
    later(31_000);
    await expect(controller.probe()).rejects.toEqual(refused('credentials'));
    expect(router.counts.byRoute).toEqual({ 'GET /system/resource': 2 });
  });

  test('that may not write is named, and nothing is made', async () => {
    const { router, controller } = await start({ readOnly: true });
    await expect(controller.create(orderFor(controller), 1)).rejects.toEqual(refused('permission'));
    expect(router.vouchers()).toEqual([]);
  });

  testCases([{ username: 'a:b' }, { username: ' ' }, { password: '' }])(
    'what it does not take is refused before anything is sent',
    async (values) => {
      const { connect, spec } = await start();
      expect(() => connect({ credentials: { ...spec.credentials, ...values } })).toThrow(
        expect.objectContaining({ name: 'SettingsError' }),
      );
    },
  );
});

test('users of User Manager that never got their profile are removed at the next sync, and no others', async () => {
  const { router, connect, later } = await start({ userManager: 'on' });
  let openOrder: string | undefined;
  const controller = connect({ isOrderOpen: (reference) => Promise.resolve(reference === openOrder) });
  ends.push(() => controller.close());
  const order = orderFor(controller, {}, 2);
  await controller.create(order, 2);
  const [left, whole] = router.vouchers();
  router.detach(left!.code);
  const names = () => router.items('/user-manager/user').map(({ name }) => name);
  // Its order, or one of another service, may still be in flight.
  await collectVouchers(controller);
  later(61_000);
  openOrder = order.reference;
  await collectVouchers(controller);
  expect(names()).toEqual([left!.code, whole!.code]);
  openOrder = undefined;
  await collectVouchers(controller);
  expect(names()).toEqual([whole!.code]);
  // Where no voucher shows its profile, that may be the router's doing.
  router.detach(whole!.code);
  await collectVouchers(controller);
  expect(names()).toEqual([whole!.code]);
});

test('more sessions of User Manager than an answer holds are read by their users', async () => {
  const { router, controller } = await start({ userManager: 'on' });
  const [used] = await controller.create(orderFor(controller, { maxUses: 3 }, 2), 2);
  router.use(used!.code!, 2);
  router.crowd(17_000);
  const uses = (await collectVouchers(controller)).map(({ code, usedCount }) => [
    code === used!.code,
    usedCount,
  ]);
  expect(uses.sort()).toEqual([
    [false, 0],
    [true, 2],
  ]);
});
