import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type {
  Controller,
  ControllerVoucher,
  ProbeStep,
  VoucherOrder,
} from '../../src/controllers/controller.js';
import { drawCodes } from '../../src/controllers/codes.js';
import { CodesTaken, type ControllerError } from '../../src/controllers/errors.js';
import { nodeSystem } from '../../src/lib/system.js';
import { describeInGerman } from '../../src/controllers/failureMessages.js';

/** A controller, empty at first, to which an adapter can be connected again and again. */
export interface TestController {
  connect(): Controller;
  /** A guest signs in with a code. */
  use(code: string): Promise<void>;
  /** Time passes, for the controller and for us. */
  later(ms: number): void | Promise<void>;
  /** Gives the controller more vouchers than fit into one page of its list, and returns how many. */
  fill(): Promise<number>;
  remove(): Promise<void>;
}

/** Values that a kind of controller does not take, and what the refusal must say about each. */
type Refused = readonly (readonly [values: Partial<VoucherOrder>, says: readonly string[]])[];

/** What kinds of controllers have, or a reason why a kind has it not. */
export interface Traits {
  readonly paging: true | string;
  readonly bounds: Refused | string;
  /** Does it refuse a site that it does not have? */
  readonly sites: true | string;
  /** Can it be asked for less than the whole list? */
  readonly incremental: true | string;
  /** Can an order be repeated, because the controller finds its vouchers again? */
  readonly repeatable?: true | string;
  /** Does it say when a voucher was created? */
  readonly createdAt?: false;
}

/** A test for those who have the trait; the others have one that tells why not. */
const forThose = (trait: keyof Traits, has: unknown, name: string, run: () => Promise<void>): void => {
  if (typeof has !== 'string') test(name, run);
  else test(`${trait}: ${has}`, () => expect(has).toMatch(/^not for \S+, /));
};

export const someOrder = (values: Partial<VoucherOrder> = {}): VoucherOrder => ({
  controllerSite: null,
  name: '2026-11-14_Familie Berger',
  reference: randomUUID(),
  maxUses: 1,
  expireMinutes: 480,
  down: 0,
  up: 0,
  quotaMb: 0,
  ...values,
});

export const collectVouchers = async (
  controller: Controller,
  controllerSite: string | null = null,
): Promise<ControllerVoucher[]> => {
  const vouchers: ControllerVoucher[] = [];
  for await (const voucher of controller.list(controllerSite)) vouchers.push(voucher);
  return vouchers;
};

/** An order as the service asks a controller for it: with codes where we choose them. */
export const orderFor = (
  { ownCodes }: Controller,
  values: Partial<VoucherOrder> = {},
  count = 1,
): VoucherOrder =>
  someOrder({ ...(ownCodes && { codes: drawCodes(ownCodes, count, nodeSystem) }), ...values });

const sortById = (vouchers: readonly ControllerVoucher[]): ControllerVoucher[] =>
  vouchers.toSorted((one, other) => String(one.id).localeCompare(String(other.id)));

/** For another way to a controller whose adapter runs the whole suite. */
export const testOneVoucher = async ({ connect, remove }: TestController): Promise<void> => {
  const controller = connect();
  try {
    const { version, sites } = await controller.probe(() => undefined);
    expect([version !== '', sites.length > 0]).toEqual([true, true]);
    const made = await controller.create(orderFor(controller, { up: 2000, quotaMb: 700 }), 1);
    expect(await collectVouchers(controller)).toEqual(made);
    await controller.revoke(null, made[0]!.id!);
    expect(await collectVouchers(controller)).toEqual([]);
  } finally {
    await controller.close();
    await remove();
  }
};

/** What every adapter must do. Each one runs this suite. */
export const controllerConformance = (make: () => Promise<TestController>, traits: Traits): void => {
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
    const order = orderFor(controller, {
      name: '2026-11-14_Zoë 🎉',
      maxUses: 3,
      expireMinutes: 60,
      down: 5000,
      up: 2000,
      quotaMb: 700,
    });
    const made = await controller.create(order, 1);
    expect(made).toEqual([
      {
        id: expect.any(String),
        code: expect.any(String),
        name: '2026-11-14_Zoë 🎉',
        maxUses: 3,
        expireMinutes: 60,
        down: 5000,
        up: 2000,
        quotaMb: 700,
        usedCount: 0,
        createdAt: traits.createdAt === false ? null : expect.any(Number),
        expiresAt: null,
        expired: false,
      },
    ]);
  });

  test('limits that are 0 are none, and one limit does not need another', async () => {
    const made: ControllerVoucher[] = [];
    for (const up of [0, 2000]) {
      const limits = { down: 0, up, quotaMb: 0 };
      const [voucher] = await controller.create(orderFor(controller, limits), 1);
      expect(voucher).toMatchObject(limits);
      made.push(voucher!);
    }
    expect(sortById(await collectVouchers(controller))).toEqual(sortById(made));
  });

  test('a name may hold quotes, backslashes, signs of all scripts, markup and 255 characters', async () => {
    const names = [
      `2026-11-14_O'Brien "Zimmer" \\ 'or'1'='1`,
      '2026-11-14_Größe ñ 東京 𝒳 👩‍👩‍👧',
      '2026-11-14_<b>&amp;%20{}[]</b>',
      `2026-11-14_${'ä'.repeat(255)}`,
    ];
    const made: ControllerVoucher[] = [];
    for (const name of names) made.push(...(await controller.create(orderFor(controller, { name }), 1)));
    expect(made.map(({ name }) => name)).toEqual(names);
    expect(sortById(await collectVouchers(controller))).toEqual(sortById(made));
  });

  forThose(
    'repeatable',
    traits.repeatable ?? 'not for UniFi, its vouchers are told by name and time',
    'an order that is repeated makes nothing twice, and its vouchers are found',
    async () => {
      const order = orderFor(controller, {}, 3);
      expect(await controller.find!(order, 3)).toEqual([]);
      const made = await controller.create(order, 3);
      expect(await controller.create(order, 3)).toEqual(made);
      expect(await controller.find!(order, 3)).toEqual(made);
      expect(await collectVouchers(controller)).toHaveLength(3);
      if (order.codes) {
        expect(made.map(({ code }) => code)).toEqual(order.codes);
        const other = { ...order, reference: randomUUID(), name: '2026-11-14_Familie Kurz' };
        await expect(controller.create(other, 3)).rejects.toThrow(CodesTaken);
      }
      // Another order with the same values has vouchers of its own.
      const [alike] = await controller.create(orderFor(controller), 1);
      expect(made.map(({ code }) => code)).not.toContain(alike?.code);
      expect(await collectVouchers(controller)).toHaveLength(4);
    },
  );

  test('the same order at the same time from two connections makes its vouchers once', async () => {
    expect(controller.find !== undefined).toBe(traits.repeatable === true);
    if (!controller.find) return;
    const other = own.connect();
    try {
      const order = orderFor(controller, {}, 2);
      const [one, two] = await Promise.all([controller.create(order, 2), other.create(order, 2)]);
      expect(one).toEqual(two);
      expect(await collectVouchers(controller)).toHaveLength(2);
    } finally {
      await other.close();
    }
  });

  test('as many vouchers are made as are ordered, each with a code of ten digits', async () => {
    const made = await controller.create(orderFor(controller, {}, 3), 3);
    for (const { code } of made) expect(code).toMatch(/^\d{10}$/);
    expect(new Set(made.map(({ code }) => code)).size).toBe(3);
    expect(await collectVouchers(controller)).toHaveLength(3);
  });

  test('many orders at once get different codes and ids', async () => {
    const made = await Promise.all(
      Array.from({ length: 40 }, () => controller.create(orderFor(controller), 1)),
    );
    expect(new Set(made.flat().map(({ code }) => code)).size).toBe(40);
    expect(new Set(made.flat().map(({ id }) => id)).size).toBe(40);
  });

  test('the list holds every voucher as it was made', async () => {
    expect(await collectVouchers(controller)).toEqual([]);
    const [first] = await controller.create(orderFor(controller, { name: 'a' }), 1);
    const [second] = await controller.create(orderFor(controller, { name: 'b', maxUses: 2 }), 1);
    const listed = await collectVouchers(controller);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining([first, second]));
  });

  test('a revoked voucher is gone, and no other; it can be revoked again', async () => {
    const [first, second] = await controller.create(orderFor(controller, {}, 2), 2);
    for (let times = 0; times < 2; times += 1) {
      await controller.revoke(null, first!.id!);
      expect(await collectVouchers(controller)).toEqual([second]);
    }
  });

  test('a use is counted, and starts the validity, at whose end the voucher expires', async () => {
    const [made, other] = await controller.create(
      orderFor(controller, { maxUses: 2, expireMinutes: 60 }, 2),
      2,
    );
    const find = async (): Promise<ControllerVoucher | undefined> =>
      (await collectVouchers(controller)).find(({ id }) => id === made!.id);
    await own.use(made!.code!);
    const used = await find();
    expect(used).toEqual({ ...made, usedCount: 1, expiresAt: expect.any(Number) });
    // Controllers count in whole seconds.
    expect(used!.expiresAt! - made!.createdAt!).toBeGreaterThanOrEqual(59 * 60_000);
    await own.use(made!.code!);
    expect(await find()).toEqual({ ...used, usedCount: 2 });
    await own.later(61 * 60_000);
    expect(await find()).toEqual({ ...used, usedCount: 2, expired: true });
    expect(await collectVouchers(controller)).toContainEqual(other);
  });

  forThose('paging', traits.paging, 'a list of several pages is complete', async () => {
    const [made] = await controller.create(orderFor(controller), 1);
    const others = await own.fill();
    const listed = await collectVouchers(controller);
    expect(listed).toHaveLength(others + 1);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(others + 1);
    expect(listed).toContainEqual(made);
  });

  forThose('bounds', traits.bounds, 'a value that the controller does not take is named', async () => {
    for (const [values, says] of traits.bounds as Refused) {
      const refusal: unknown = await controller
        .create(orderFor(controller, values), 1)
        .catch((error: unknown) => error);
      expect(refusal).toMatchObject({ name: 'ControllerError', code: 'bounds' });
      for (const word of says) expect(describeInGerman(refusal as ControllerError)).toContain(word);
    }
    expect(await collectVouchers(controller)).toEqual([]);
  });

  forThose('sites', traits.sites, 'a site that the controller does not have is refused', async () => {
    const refused = { name: 'ControllerError', code: 'site' };
    const order = someOrder({ controllerSite: 'nirgendwo' });
    await expect(controller.create(orderFor(controller, order), 1)).rejects.toMatchObject(refused);
    await expect(collectVouchers(controller, 'nirgendwo')).rejects.toMatchObject(refused);
    expect(await collectVouchers(controller)).toEqual([]);
  });

  forThose(
    'incremental',
    traits.incremental,
    'what was used or has expired can be asked for alone',
    async () => {
      const { count, changed } = controller.incremental!;
      const changedSince = async (since: number): Promise<unknown[]> => {
        const codes: unknown[] = [];
        for await (const { code } of changed(null, since)) codes.push(code);
        return codes;
      };
      const [first, second, third] = await controller.create(
        orderFor(controller, { maxUses: 2, expireMinutes: 60 }, 3),
        3,
      );
      expect(await count(null)).toBe(3);
      const begun = Date.now();
      expect(await changedSince(begun)).toEqual([]);
      await own.use(first!.code!);
      expect(await changedSince(begun)).toEqual([first!.code]);
      await own.later(61 * 60_000);
      expect(await changedSince(begun + 30 * 60_000)).toEqual([first!.code]);
      await own.use(second!.code!);
      // Others may be among them, but none that was never used.
      const since = await changedSince(begun + 90 * 60_000);
      expect(since).toContain(second!.code);
      expect(since).not.toContain(third!.code);
      await controller.revoke(null, third!.id!);
      expect(await count(null)).toBe(2);
    },
  );

  test('an order that comes too late is not begun', async () => {
    await expect(controller.create(orderFor(controller), 1, AbortSignal.abort())).rejects.toMatchObject({
      name: 'ControllerError',
      code: 'deadline',
    });
    expect(await collectVouchers(controller)).toEqual([]);
  });

  test('a probe tells of each step, the version and the sites', async () => {
    const steps: ProbeStep[] = [];
    const { version, sites } = await controller.probe((step) => steps.push(step));
    expect(steps).toEqual(['connected', 'signed-in', 'version', 'sites']);
    expect(version).not.toBe('');
    expect(sites.length).toBeGreaterThan(0);
    for (const site of sites) expect(site).toEqual({ id: expect.any(String), name: expect.any(String) });
  });

  test('a connection that is closed and opened again changes nothing', async () => {
    const made = await controller.create(orderFor(controller, {}, 2), 2);
    await controller.close();
    controller = own.connect();
    expect(await collectVouchers(controller)).toEqual(expect.arrayContaining([...made]));
  });

  test('closing lets an order end that is under way', async () => {
    const ordered = controller.create(orderFor(controller), 1);
    await controller.close();
    const made = await ordered;
    controller = own.connect();
    expect(await collectVouchers(controller)).toEqual(made);
  });

  test('two connections at the same time see the same vouchers', async () => {
    const other = own.connect();
    try {
      const made = await Promise.all([controller, other].map((one) => one.create(orderFor(one), 1)));
      for (const one of [controller, other])
        expect(await collectVouchers(one)).toEqual(expect.arrayContaining(made.flat()));
    } finally {
      await other.close();
    }
  });
};
