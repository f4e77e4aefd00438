import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Controller, ControllerVoucher, VoucherOrder } from '../../src/controllers/controller.js';

/** A controller, empty at first, to which an adapter can be connected again and again. */
export interface TestController {
  connect(): Controller;
  remove(): Promise<void>;
}

export const someOrder = (values: Partial<VoucherOrder> = {}): VoucherOrder => ({
  controllerSite: null,
  name: '2026-11-14_Familie Berger',
  maxUses: 1,
  expireMinutes: 480,
  down: 0,
  up: 0,
  quotaMb: 0,
  ...values,
});

export const listOf = async (
  controller: Controller,
  controllerSite: string | null = null,
): Promise<ControllerVoucher[]> => {
  const vouchers: ControllerVoucher[] = [];
  for await (const voucher of controller.list(controllerSite)) vouchers.push(voucher);
  return vouchers;
};

/** What every adapter must do. Each one runs this suite. */
export const controllerConformance = (make: () => Promise<TestController>): void => {
  let own: TestController;
  let controller: Controller;
  beforeEach(async () => {
    own = await make();
    controller = own.connect();
  });
  afterEach(async () => {
    await controller.close();
    await own.remove();
  });

  test('a voucher is made with the name and the limits of the order', async () => {
    const order = someOrder({ name: '2026-11-14_Zoë 🎉', maxUses: 3, expireMinutes: 60, down: 1, up: 2 });
    const made = await controller.create(order, 1);
    expect(made).toEqual([
      {
        id: expect.any(String),
        code: expect.any(String),
        name: '2026-11-14_Zoë 🎉',
        maxUses: 3,
        expireMinutes: 60,
        down: 1,
        up: 2,
        quotaMb: order.quotaMb,
        usedCount: 0,
        createdAt: expect.any(Number),
        expiresAt: null,
        expired: false,
      },
    ]);
  });

  test('a code has ten digits', async () => {
    const made = await controller.create(someOrder(), 5);
    for (const { code } of made) expect(code).toMatch(/^\d{10}$/);
  });

  test('as many vouchers are made as are ordered', async () => {
    const made = await controller.create(someOrder(), 3);
    expect(new Set(made.map(({ code }) => code)).size).toBe(3);
    expect(await listOf(controller)).toHaveLength(3);
  });

  test('many orders at once get different codes and ids', async () => {
    const made = await Promise.all(Array.from({ length: 300 }, () => controller.create(someOrder(), 1)));
    expect(new Set(made.flat().map(({ code }) => code)).size).toBe(300);
    expect(new Set(made.flat().map(({ id }) => id)).size).toBe(300);
  });

  test('the list holds every voucher as it was made', async () => {
    expect(await listOf(controller)).toEqual([]);
    const [first] = await controller.create(someOrder({ name: 'a' }), 1);
    const [second] = await controller.create(someOrder({ name: 'b', maxUses: 2 }), 1);
    const listed = await listOf(controller);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining([first, second]));
  });

  test('a revoked voucher is gone, and no other', async () => {
    const [first, second] = await controller.create(someOrder(), 2);
    await controller.revoke(null, first!.id!);
    expect(await listOf(controller)).toEqual([second]);
  });

  test('a probe tells the version and the sites', async () => {
    const { version, sites } = await controller.probe();
    expect(version).not.toBe('');
    expect(sites.length).toBeGreaterThan(0);
    for (const site of sites) expect(site).toEqual({ id: expect.any(String), name: expect.any(String) });
  });

  test('a connection that is closed and opened again changes nothing', async () => {
    const made = await controller.create(someOrder(), 2);
    await controller.close();
    controller = own.connect();
    expect(await listOf(controller)).toEqual(expect.arrayContaining([...made]));
  });

  test('two connections at the same time see the same vouchers', async () => {
    const other = own.connect();
    try {
      const made = await Promise.all([controller, other].map((one) => one.create(someOrder(), 1)));
      for (const one of [controller, other])
        expect(await listOf(one)).toEqual(expect.arrayContaining(made.flat()));
    } finally {
      await other.close();
    }
  });
};
