import { ControllerError, OutcomeUnknown, SettingsError } from '../controllers/errors.js';
import type { Texts } from '../i18n/language.js';
import { describeOrderReason } from './orderReasons.js';
import { toLabel } from '../lib/label.js';
import type { Log } from '../log/log.js';
import { Problem, Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import { seesSite } from '../sites/siteScope.js';
import type { User } from '../users/users.js';
import { SecretError } from '../secrets/encryption.js';
import type { ConnectedSite, SiteDirectory } from '../controllers/siteDirectory.js';
import { findUnkeptLimit, type UnkeptLimit } from '../controllers/keptLimits.js';
import { pickLimits, type VoucherLimits } from '../controllers/voucherLimits.js';
import {
  checkOrderCount,
  checkOrderLimits,
  dailyLimitRefusal,
  findOrderLimit,
  scopeOf,
  startOfDay,
  type OrdererRole,
} from '../orderLimits/orderLimits.js';
import { countInScope, type DailyAllowance } from './dailyLimitTable.js';
import type { OrderState, PlacedOrder } from './orderTable.js';
import type { VoucherTables } from './voucherTables.js';
import { fingerprintOrder, isSameOrder } from './idempotency.js';
import type { CreateVouchers } from './createVouchers.js';
import type { OrderActor } from './origin.js';
import { buildStoredName } from './record.js';
import { readVoucherNames, toVoucherView, type VoucherView } from './view.js';

/** What is ordered in the pages: as many vouchers of a profile, or with limits of their own. */
export interface OrderInput {
  readonly siteId: number;
  readonly name: string;
  readonly count: number;
  /** A name for each voucher; null where all are called like the order. */
  readonly names?: readonly string[] | null | undefined;
  /** Whether each of several vouchers has a number behind the name. */
  readonly numbered?: boolean | undefined;
  readonly profileId: number | null;
  readonly limits: VoucherLimits | null;
}

/** Who orders: a user or a kiosk. */
export type Orderer = (
  | (OrderActor<'desk'> & { readonly userId: number; readonly kioskId: null })
  | (OrderActor<'kiosk' | 'guest'> & { readonly userId: null; readonly kioskId: number })
) &
  OrdererRights;

interface OrdererRights {
  /** Whose rules apply to the order. */
  readonly role: OrdererRole;
  readonly address: string;
  mayOrderFor(siteId: number): boolean;
  /**
   * Takes a place before anything is ordered, and returns what refunds it.
   * Throws when there is no place left.
   */
  reserve?(): Promise<() => Promise<void>>;
}

/** An order as the pages see it. */
export interface OrderView {
  readonly id: string;
  readonly state: OrderState;
  readonly siteId: number;
  readonly siteName: string;
  readonly name: string;
  readonly count: number;
  readonly made: number;
  readonly createdAt: number;
  readonly reason: Texts | null;
  readonly vouchers: readonly VoucherView[];
}

type Viewer = Pick<User, 'id' | 'role' | 'siteIds'>;

/** Orders of the pages. They survive a closed browser. */
export interface DeskOrders {
  /**
   * Orders vouchers under an id that the page has chosen. A repeated request is the same order,
   * and gets its outcome. Throws `Refusal` or `Problem`, and then nothing was ordered by this request.
   */
  place(id: string, input: OrderInput, orderer: Orderer): Promise<PlacedOrder>;
  /**
   * Throws what `place` would refuse now. Another order may come first,
   * so `place` may refuse it nevertheless.
   */
  check(input: OrderInput, orderer: Orderer): Promise<void>;
  /**
   * An order of the viewer's, or any order for an administrator.
   * Throws `Problem` when there is no such order.
   */
  find(id: string, viewer: Viewer): Promise<PlacedOrder>;
  /** An order with its vouchers. */
  view(order: PlacedOrder): Promise<OrderView>;
  /** The viewer's own latest orders, without their vouchers. */
  list(viewer: Viewer): Promise<OrderView[]>;
  /** Resolves when no order of this process is in flight. */
  idle(): Promise<void>;
}

interface DeskOrdersDeps {
  tables: VoucherTables;
  sites: Pick<SiteDirectory, 'findActive'>;
  system: System;
  log: Log;
  createVouchers: CreateVouchers;
}

const maxListed = 20;
const maxNameCharacters = 255;

export const makeDeskOrders = (deps: DeskOrdersDeps): DeskOrders => {
  const { tables, system } = deps;
  /** By id: a repeated request waits for the first one. */
  const inFlight = new Map<string, Promise<void>>();
  const checkOrder = makeCheckOrder(deps);
  const carryOut = makeCarryOut(deps);

  /** Waits for the order while this process carries it out. */
  const findEarlier = async (
    id: string,
    fingerprint: string,
    { userId, kioskId, mayOrderFor }: Orderer,
  ): Promise<PlacedOrder | undefined> => {
    const found = await tables.orders.find(id);
    if (!found) return undefined;
    const isTheirs = found.userId === userId && found.kioskId === kioskId && mayOrderFor(found.siteId);
    if (!isTheirs) throw new Problem('not_found');
    if (!isSameOrder(fingerprint, found.fingerprint))
      throw new Refusal('order-changed', 'there is another order with this id');
    const running = inFlight.get(id);
    if (found.state !== 'open' || !running) return found;
    await running;
    return tables.orders.find(id);
  };

  const checkAllowance = async (
    { allowance }: CheckedOrder,
    count: number,
    orderer: Orderer,
  ): Promise<void> => {
    if (!allowance) return;
    const { scope, since } = allowance;
    const rule = (await tables.orderLimits.all()).find(({ id }) => id === scope.ruleId);
    const most = rule?.maxPerDay ?? Infinity;
    const left = Math.max(0, most - countInScope(scope, await tables.orders.orderedSince(orderer, since)));
    if (count > left) throw dailyLimitRefusal({ most, left });
  };

  const run = async (order: PlacedOrder, checked: CheckedOrder, orderer: Orderer): Promise<void> => {
    // Before anything is counted: an order that is refused anyway must not use up what others may order.
    if (orderer.reserve) await checkAllowance(checked, order.count, orderer);
    const refund = await orderer.reserve?.();
    const isBegun = await carryOut(order, checked, orderer).catch(async (error: unknown) => {
      if (error instanceof Refusal) await refund?.();
      throw error;
    });
    if (refund && (!isBegun || (await tables.orders.find(order.id))?.state === 'failed')) await refund();
  };

  const start = (
    { id, fingerprint }: Pick<PlacedOrder, 'id' | 'fingerprint'>,
    { siteId, count }: OrderInput,
    checked: CheckedOrder,
    orderer: Orderer,
  ): Promise<void> => {
    const { name } = checked;
    const { userId, kioskId } = orderer;
    const order: PlacedOrder = {
      id,
      userId,
      kioskId,
      siteId,
      fingerprint,
      name,
      count,
      createdAt: system.now(),
      made: 0,
      state: 'open',
      reason: null,
    };
    const running = run(order, checked, orderer).finally(() => inFlight.delete(id));
    inFlight.set(id, running);
    return running;
  };

  const toView = (
    { userId: _user, kioskId: _kiosk, fingerprint: _fingerprint, reason, ...order }: PlacedOrder,
    siteNames: ReadonlyMap<number, string>,
    vouchers: readonly VoucherView[] = [],
  ): OrderView => ({
    ...order,
    reason: reason && describeOrderReason(reason),
    siteName: siteNames.get(order.siteId) ?? '',
    vouchers,
  });

  return {
    place: async (given, input, orderer) => {
      const id = given.toLowerCase();
      const fingerprint = fingerprintInput(input);
      const earlier = await findEarlier(id, fingerprint, orderer);
      if (earlier) return earlier;
      const checked = await checkOrder(input, orderer);
      await (inFlight.get(id) ?? start({ id, fingerprint }, input, checked, orderer));
      const placed = await findEarlier(id, fingerprint, orderer);
      if (!placed) throw new Error(`order ${id} was not stored`);
      return placed;
    },
    check: async (input, orderer) => {
      await checkAllowance(await checkOrder(input, orderer), input.count, orderer);
    },
    find: async (id, viewer) => {
      const order = await tables.orders.find(id.toLowerCase());
      const isTheirs = viewer.role === 'admin' || order?.userId === viewer.id;
      if (!order || !isTheirs || !seesSite(viewer, order.siteId)) throw new Problem('not_found');
      return order;
    },
    view: async (order) => {
      const names = await readVoucherNames(tables);
      const now = system.now();
      const vouchers = await tables.vouchers.ofIntent(order.id);
      return toView(
        order,
        names.sites,
        vouchers.map((voucher) => toVoucherView(voucher, names, now)),
      );
    },
    list: async (viewer) => {
      const names = await readVoucherNames(tables);
      const orders = await tables.orders.newest(viewer.id, maxListed);
      return orders
        .filter(({ siteId }) => seesSite(viewer, siteId))
        .map((order) => toView(order, names.sites));
    },
    idle: async () => {
      await Promise.allSettled(inFlight.values());
    },
  };
};

/** An order that may be carried out. */
interface CheckedOrder {
  readonly site: ConnectedSite;
  readonly name: string;
  /** What each voucher is called, without the date; null where all are called like the order. */
  readonly names: readonly string[] | null;
  readonly limits: VoucherLimits;
  readonly profileId: number | null;
  /** What its vouchers count against. */
  readonly allowance: DailyAllowance | null;
}

const makeCheckOrder = ({ tables, sites, system, log }: DeskOrdersDeps) => {
  /** The limits of the profile, which has to be for the site, or the given ones. */
  const findLimits = async ({ profileId, limits, siteId }: OrderInput): Promise<VoucherLimits> => {
    if ((profileId === null) === (limits === null))
      throw new Refusal('limits-required', 'either a profile or limits', 'invalid');
    if (limits) return limits;
    const [profile] = profileId === null ? [] : await tables.profiles.all([profileId]);
    if (!profile || profile.siteIds?.includes(siteId) === false)
      throw new Refusal('unknown-profile', 'there is no such profile, or it is not for this site');
    return profile;
  };

  /**
   * Every order of the web UI passes here: those of users, of kiosks and of guest pages. Throws `Refusal`.
   */
  const checkLimits = async (
    { siteId, count, profileId }: OrderInput,
    { role }: Orderer,
    { name, limits }: Pick<CheckedOrder, 'name' | 'limits'>,
  ): Promise<DailyAllowance | null> => {
    const rules = await tables.orderLimits.all();
    const rule = findOrderLimit(rules, role, siteId);
    checkOrderLimits(rule, { count, name, limits, isCustom: profileId === null });
    if (!rule || rule.maxPerDay === null) return null;
    return { scope: scopeOf(rule, rules), since: startOfDay(system.now()) };
  };

  return async (input: OrderInput, orderer: Orderer): Promise<CheckedOrder> => {
    const { siteId, profileId } = input;
    if (!orderer.mayOrderFor(siteId)) throw new Problem('not_found');
    const site = await sites.findActive(siteId).catch((error: unknown) => {
      if (!(error instanceof SecretError) && !(error instanceof SettingsError)) throw error;
      log.warn({ err: error, site: siteId }, 'controller of a site can not be used');
      throw new Refusal(
        'controller-unusable',
        'the settings or credentials of the controller can not be used',
      );
    });
    if (!site) throw new Problem('not_found');
    const name = input.name === '' ? '' : toLabel(input.name, maxNameCharacters);
    const names = toVoucherNames(input, name);
    const limits = await findLimits(input);
    const { keptLimits } = site.controller;
    const unkept = findUnkeptLimit(keptLimits, limits);
    if (unkept) throw limitNotKept(unkept);
    checkOrderCount(input.count, keptLimits?.maxPerOrder);
    // A list says whom its vouchers are for.
    const allowance = await checkLimits(input, orderer, { name: name || (input.names?.[0] ?? ''), limits });
    return { site, name, names, limits, profileId, allowance };
  };
};

const limitNotKept = (unkept: UnkeptLimit): Refusal => {
  if (unkept.reason === 'value') {
    const { from, to } = unkept;
    return new Refusal('limit-out-of-range', 'the controller does not take this value', 'refused', {
      from,
      to,
    });
  }
  switch (unkept.limit) {
    case 'maxUses':
      return new Refusal('uses-not-kept', 'the controller can not limit how many sign in');
    case 'quotaMb':
      return new Refusal('volume-not-kept', 'the controller can not limit the data volume');
    default:
      return new Refusal('rates-not-kept', 'the controller can not limit the speed');
  }
};

const fingerprintInput = ({ names = null, numbered = false, ...order }: OrderInput): string => {
  const input = { ...order, names, numbered };
  return fingerprintOrder(input, input);
};

/** What each voucher is called, without the date; null where all are called like the order. */
const toVoucherNames = (
  { names = null, numbered = false, count }: OrderInput,
  name: string,
): readonly string[] | null => {
  if (names) {
    if (names.length !== count || numbered)
      throw new Refusal('names-invalid', 'one name for each voucher', 'invalid');
    return names.map((own) => toLabel(own, maxNameCharacters));
  }
  if (!numbered || count === 1) return null;
  // A number alone would be a date to a spreadsheet.
  const prefix = name === '' ? '#' : `${name} `;
  return Array.from({ length: count }, (_, index) => `${prefix}${String(index + 1)}/${String(count)}`);
};

const makeCarryOut =
  ({ createVouchers, log }: DeskOrdersDeps) =>
  /** Resolves when the outcome is stored, as far as it is known; to false when the id was taken. */
  async (
    order: PlacedOrder,
    checked: CheckedOrder,
    { origin, actorName, address }: Orderer,
  ): Promise<boolean> => {
    const { id, siteId, count, createdAt } = order;
    const { site, limits, profileId, allowance } = checked;
    const name = buildStoredName(checked.name, createdAt);
    const names = checked.names?.map((own) => buildStoredName(own, createdAt)) ?? null;
    const intent = {
      id,
      siteId,
      name,
      count,
      names,
      profileId,
      createdAt,
      origin,
      actorName,
      ...pickLimits(limits),
    };
    try {
      return (await createVouchers({ intent, order: { ...order, allowance }, site, address })) !== undefined;
    } catch (error) {
      // The order stores the reason, which its user reads.
      const isStored =
        error instanceof ControllerError || error instanceof OutcomeUnknown || error instanceof Problem;
      if (!isStored) throw error;
      log.warn({ err: error, order: id, site: siteId }, 'order of the web UI not created');
      return true;
    }
  };
