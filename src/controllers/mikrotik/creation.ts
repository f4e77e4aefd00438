import type { System } from '../../lib/system.js';
import type { Controller, ControllerVoucher, VoucherOrder } from '../controller.js';
import { queueOrders, readCreated } from '../creation.js';
import { CodesTaken, ControllerError, OutcomeUnknown } from '../errors.js';
import { assertLimitsKept, type KeptLimits } from '../keptLimits.js';
import { toVoucherLabel } from './label.js';
import type { HotspotServers } from './servers.js';
import type { Signal, GuestUser } from './store.js';
import type { GuestStores } from './stores.js';

/** Each takes a call of its own, and an order has a deadline. */
export const maxVouchersPerCall = 20;

interface MikrotikCreateOptions {
  readonly stores: GuestStores;
  readonly servers: HotspotServers;
  readonly keptLimits: KeptLimits;
  readonly name: string;
  readonly system: Pick<System, 'now'>;
  /** How many orders may be in flight. */
  readonly maxOrders: number;
}

const findUsers = async (
  stores: GuestStores,
  codes: readonly string[],
  signal: Signal,
): Promise<readonly GuestUser[]> => {
  const { all } = await stores.get(signal);
  const found = await Promise.all(all.map((store) => store.find(codes, signal)));
  return found.flat();
};

/** The vouchers of an order among these users, in the order of its codes. */
const vouchersOf = (
  { codes = [], reference }: VoucherOrder,
  users: readonly GuestUser[],
): readonly ControllerVoucher[] =>
  codes.flatMap(
    (code) =>
      users.find((user) => user.code === code && user.label?.reference === reference && user.voucher)
        ?.voucher ?? [],
  );

export const makeMikrotikFind =
  (stores: GuestStores) =>
  async (order: VoucherOrder, signal: Signal): Promise<readonly ControllerVoucher[]> => {
    const { codes = [] } = order;
    return codes.length === 0 ? [] : vouchersOf(order, await findUsers(stores, codes, signal));
  };

export const makeMikrotikCreate = (options: MikrotikCreateOptions): Controller['create'] => {
  const { stores, servers, keptLimits, name, system, maxOrders } = options;

  const isOf = ({ reference }: VoucherOrder, { label }: GuestUser): boolean => label?.reference === reference;

  /** Takes back what there is of an order, so that its failure is certain. */
  const undo = async (order: VoucherOrder, failed: ControllerError, signal: Signal): Promise<void> => {
    const { codes = [] } = order;
    try {
      const { all } = await stores.get(signal);
      for (const store of all)
        for (const user of await store.find(codes, signal))
          if (isOf(order, user)) await store.remove(user.code, signal);
    } catch {
      throw new OutcomeUnknown(name, failed.failure);
    }
  };

  /** Makes the vouchers of an order that are missing: all of them, or none for certain, or nobody knows. */
  const make = async (order: VoucherOrder, known: readonly GuestUser[], signal: Signal): Promise<void> => {
    const { codes = [] } = order;
    const done = new Set(vouchersOf(order, known).map(({ code }) => code));
    const missing = codes.filter((code) => !done.has(code));
    if (missing.length === 0) return;
    const { current } = await stores.get(signal);
    const label = toVoucherLabel(order, system.now());
    await current.prepare(order, signal);
    const added = await Promise.allSettled(missing.map((code) => current.add(code, label, signal)));
    const failures = added.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
    const [failure] = failures;
    if (failure === undefined) return;
    const unsure = failures.find((one) => !(one instanceof ControllerError));
    if (unsure !== undefined || !(failure instanceof ControllerError)) throw unsure;
    if (known.length > 0 || failures.length < missing.length) await undo(order, failure, signal);
    throw failure;
  };

  const create: Controller['create'] = async (given, count, signal) => {
    assertLimitsKept({ keptLimits }, given);
    const { codes = [] } = given;
    if (codes.length !== count) throw new Error('each voucher needs a code');
    const order = { ...given, controllerSite: await servers.resolve(given.controllerSite, signal) };
    const known = await findUsers(stores, codes, signal);
    const isAnyOurs = known.some((user) => isOf(order, user));
    if (known.some((user) => !isOf(order, user))) {
      const taken = new CodesTaken(name);
      if (isAnyOurs) await undo(order, taken, signal);
      throw taken;
    }
    await make(order, known, signal);
    return readCreated(name, async () => vouchersOf(order, await findUsers(stores, codes, signal)));
  };

  return queueOrders(create, { name, maxOrders });
};
