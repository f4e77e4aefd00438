import { describe, expect, test } from '@jest/globals';
import type { MenuItem, MenuPath } from '../../../simulators/mikrotik/menus.js';
import type { SimulatedMikrotikOptions } from '../../../simulators/mikrotik/settings.js';
import { orderFor } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { endsAfterEach } from '../../support/fixture.js';
import { startConnectedMikrotik } from '../../support/mikrotikRouter.js';

const ends = endsAfterEach();
const start = (options?: SimulatedMikrotikOptions) => startConnectedMikrotik(ends, options);

const limits = { maxUses: 3, expireMinutes: 90, down: 5000, up: 2000, quotaMb: 700 };
const unlimited = { maxUses: 3, expireMinutes: 90, down: 0, up: 0, quotaMb: 0 };
const modes = ['absent', 'on'] as const;

describe.each(modes)('profiles (User Manager: %s)', (userManager) => {
  const menu = userManager === 'on' ? '/user-manager/profile' : '/ip/hotspot/user/profile';

  test('are made once for each combination of limits, by whichever connection', async () => {
    const { router, controller, connect } = await start({ userManager });
    const before = router.items(menu).length;
    for (const connection of [controller, connect()]) {
      await Promise.all([1, 2, 3].map(() => connection.create(orderFor(connection, limits), 1)));
      await connection.create(orderFor(connection, { ...limits, down: 1000 }), 1);
      if (connection !== controller) await connection.close();
    }
    expect(router.items(menu)).toHaveLength(before + 2);
    expect(router.items('/user-manager/profile-limitation')).toHaveLength(userManager === 'on' ? 2 : 0);
  });

  test('that somebody has given other values are not used, and the order is refused', async () => {
    const { router, controller, connect } = await start({ userManager });
    await controller.create(orderFor(controller, limits), 1);
    const made = router.vouchers().length;
    router.change(menu, userManager === 'on' ? { validity: '4w' } : { 'rate-limit': '9M/9M' });
    const other = connect();
    ends.push(() => other.close());
    const error: unknown = await other.create(orderFor(other, limits), 1).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ControllerError', code: 'refused' });
    expect(String(error)).toMatch(/has another (validity|rate-limit)/);
    expect(router.vouchers()).toHaveLength(made);
  });

  test('that the router writes in its own way are the same', async () => {
    const { router, controller, connect } = await start({ userManager });
    await controller.create(orderFor(controller, limits), 1);
    const minutes = limits.expireMinutes;
    router.change(menu, userManager === 'on' ? { validity: `${String(minutes * 60)}s` } : {});
    const other = connect();
    ends.push(() => other.close());
    expect(await other.create(orderFor(other, limits), 1)).toHaveLength(1);
  });

  test('that were deleted on the router are made again', async () => {
    const { router, controller } = await start({ userManager });
    await controller.create(orderFor(controller, limits), 1);
    router.clear(menu);
    router.clear('/user-manager/profile-limitation');
    router.clear('/user-manager/limitation');
    expect(await controller.create(orderFor(controller, limits), 1)).toHaveLength(1);
    expect(router.items(menu)).toHaveLength(1);
  });
});

const modeOf = (menu: MenuPath) => (menu.startsWith('/user-manager') ? 'on' : 'absent');

/** What another process adds, or somebody by hand, with the name that ours will have. */
interface Foreign {
  readonly menu: MenuPath;
  readonly item: MenuItem;
}
const hotspotProfile = (item: MenuItem): Foreign => ({
  menu: '/ip/hotspot/user/profile',
  item: { name: 'vd-3-5000-2000', 'shared-users': '3', 'rate-limit': '2M/5M', ...item },
});
const profile = (item: MenuItem): Foreign => ({
  menu: '/user-manager/profile',
  item: { name: 'vd-90m-5000-2000-700', validity: '90m', 'starts-when': 'first-auth', ...item },
});
const rates = { 'rate-limit-rx': '2000000', 'rate-limit-tx': '5000000' };
const limitation = (item: MenuItem): Foreign => ({
  menu: '/user-manager/limitation',
  item: { name: 'vd-90m-5000-2000-700', ...item },
});

describe('an item that another process adds at the same moment', () => {
  testCases<[string, Foreign]>([
    ['a profile of the hotspot', hotspotProfile({})],
    ['a profile of User Manager', profile({})],
    ['a limitation', limitation({ ...rates, 'transfer-limit': '700000000' })],
  ])('with the same values is used', async (_, { menu, item }) => {
    const { router, controller } = await start({
      userManager: modeOf(menu),
    });
    router.addFirst(menu, item);
    expect(await controller.create(orderFor(controller, limits), 1)).toHaveLength(1);
    expect(router.items(menu).filter(({ name }) => name === item['name'])).toHaveLength(1);
  });

  testCases<[property: string, Foreign]>([
    ['rate-limit', hotspotProfile({ 'rate-limit': '' })],
    ['rate-limit', hotspotProfile({ 'rate-limit': '5M' })],
    ['shared-users', hotspotProfile({ 'shared-users': 'unlimited' })],
    ['validity', { ...profile({}), item: { name: 'vd-90m-5000-2000-700', 'starts-when': 'first-auth' } }],
    ['starts-when', profile({ 'starts-when': 'assigned' })],
    ['transfer-limit', limitation(rates)],
    ['rate-limit-rx', limitation({ ...rates, 'rate-limit-rx': '0', 'transfer-limit': '700000000' })],
  ])('with other values is refused', async (property, { menu, item }) => {
    const { router, controller } = await start({
      userManager: modeOf(menu),
    });
    router.addFirst(menu, item);
    await expect(controller.create(orderFor(controller, limits), 1)).rejects.toMatchObject({
      name: 'ControllerError',
      failure: {
        kind: 'refused',
        said: expect.stringContaining(`${menu} ${item['name']!} has another ${property}:`),
      },
    });
    expect(router.vouchers()).toEqual([]);
    expect(router.items('/user-manager/user')).toEqual([]);
    expect(router.items(menu).filter(({ name }) => name === item['name'])).toHaveLength(1);
  });

  test('with a limit that the order does not have is refused', async () => {
    const { router, controller } = await start();
    router.addFirst('/ip/hotspot/user/profile', {
      name: 'vd-3-0-0',
      'shared-users': '3',
      'rate-limit': '1M/1M',
    });
    await expect(controller.create(orderFor(controller, unlimited), 1)).rejects.toMatchObject({
      failure: { said: expect.stringContaining('has another rate-limit') },
    });
  });
});

describe('a profile of User Manager', () => {
  const joins = '/user-manager/profile-limitation';

  test('that two processes join with its limitation at the same moment is joined once', async () => {
    const { router, controller } = await start({ userManager: 'on' });
    const name = 'vd-90m-5000-2000-700';
    router.addFirst(joins, { profile: name, limitation: name });
    expect(await controller.create(orderFor(controller, limits), 1)).toHaveLength(1);
    expect(router.items(joins)).toEqual([expect.objectContaining({ profile: name, limitation: name })]);
  });

  testCases([
    ['an order with limits', limits],
    ['an order without limits', unlimited],
  ])('that somebody has joined with another limitation is refused', async (_, values) => {
    const { router, controller, connect } = await start({ userManager: 'on' });
    await controller.create(orderFor(controller, values), 1);
    const [{ name = '' } = {}] = router.items('/user-manager/profile');
    router.add('/user-manager/limitation', { name: 'slow' });
    router.add(joins, { profile: name, limitation: 'slow' });
    const other = connect();
    ends.push(() => other.close());
    await expect(other.create(orderFor(other, values), 1)).rejects.toMatchObject({
      name: 'ControllerError',
      failure: { kind: 'refused', said: expect.stringContaining(`${name} has another limitation`) },
    });
    expect(router.vouchers()).toHaveLength(1);
  });
});
