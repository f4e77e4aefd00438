import { LRUCache } from 'lru-cache';
import type { System } from '../../lib/system.js';
import type { Controller, ControllerVoucher, VoucherOrder } from '../controller.js';
import { assertCount, queueOrders, readCreated } from '../creation.js';
import { sleepUnlessAborted } from '../deadline.js';
import { OutcomeUnknown } from '../errors.js';
import { isAlteredName, isUntouched } from '../match.js';
import { hasSameLimits } from '../voucherLimits.js';
import { asFields, asNumber } from '../parsing.js';
import { type ClassicAnswer, unwrapAnswer } from './answer.js';
import { type ClassicApi } from './classicApi.js';
import type { ClassicSites } from './sites.js';
import { parseClassicVoucher } from './voucher.js';

interface ClassicCreateOptions {
  readonly api: ClassicApi;
  readonly sites: ClassicSites;
  readonly name: string;
  readonly system: System;
  /** Those of the controller's vouchers that are not recorded. With `anyName` only their codes count. */
  unrecorded(vouchers: readonly ControllerVoucher[], anyName?: boolean): Promise<ControllerVoucher[]>;
  /** How many orders may be in flight. */
  readonly maxOrders: number;
}

/** An order that the controller has accepted. */
interface AcceptedOrder {
  /** The creation time that the controller returned. */
  readonly second: number;
  readonly order: VoucherOrder;
  readonly count: number;
}

const maxVouchersPerOrder = 1000;

/** A new voucher may not be visible at once; it is looked for again after each of these pauses. */
const pausesMs = [150, 350, 700, 1500, 2000];

/**
 * Only vouchers of the same second can be confused, so this is much longer than needed.
 * With `max` in place of sizes the cache of every controller would be allocated in full when it is made.
 */
const remembered = { maxSize: 20_000, sizeCalculation: () => 1, ttl: 10 * 60_000 };

export const makeClassicCreate = ({
  api,
  sites,
  name,
  system,
  unrecorded,
  maxOrders,
}: ClassicCreateOptions): Controller['create'] => {
  /** Vouchers already assigned to an order of this process, by id or code. */
  const given = new LRUCache<string, true>(remembered);
  const isFree = (voucher: ControllerVoucher): boolean => !given.has(keyOf(voucher));

  /** Assigns each of several equal vouchers once, the newest first: an older one may be another process's. */
  const take = (free: readonly ControllerVoucher[], count: number): readonly ControllerVoucher[] => {
    // Ids grow with time.
    const taken = [...free]
      .sort((one, other) => ((one.id ?? '') < (other.id ?? '') ? 1 : -1))
      .slice(0, count);
    for (const voucher of taken) given.set(keyOf(voucher), true);
    return taken;
  };

  /**
   * The order's vouchers among those of the same second. A console may alter names.
   * So if no voucher has the order's name, those with the same limits match if there are exactly as many as
   * ordered and none is recorded. If their name can't be an altered form of the order's,
   * they match only at the last look, because the right ones may still appear.
   */
  const choose = async (
    rows: readonly unknown[],
    { second, order, count }: AcceptedOrder,
    isLastLook: boolean,
  ): Promise<readonly ControllerVoucher[] | undefined> => {
    const fitting = rows
      .map((row) => parseClassicVoucher(row, system.now()))
      .filter((voucher) => voucher.createdAt === second * 1000 && keyOf(voucher) !== '')
      .filter((voucher) => isUntouched(voucher) && hasSameLimits(voucher, order) && isFree(voucher));
    const named = fitting.filter((voucher) => voucher.name === order.name);
    if (named.length > 0) {
      const free = named.length === count ? named : (await unrecorded(named)).filter(isFree);
      return free.length < count ? undefined : take(free, count);
    }
    const altered = isLastLook
      ? fitting
      : fitting.filter((voucher) => isAlteredName(voucher.name, order.name));
    const free = altered.length < count ? [] : (await unrecorded(altered, true)).filter(isFree);
    return free.length === count ? take(free, count) : undefined;
  };

  /** Empty if the vouchers never become visible. */
  const find = async (
    accepted: AcceptedOrder,
    site: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly ControllerVoucher[]> => {
    for (const pauseMs of [...pausesMs, undefined]) {
      const path = `/api/s/${site}/stat/voucher`;
      const answer = await api.ask({ method: 'POST', path, json: { create_time: accepted.second }, signal });
      const found = await choose(unwrapList(answer, name), accepted, pauseMs === undefined).catch(
        (error: unknown) => {
          // The records could not be read just now; there is another look.
          if (pauseMs === undefined) throw error;
          return undefined;
        },
      );
      if (found) return found;
      if (pauseMs !== undefined && !(await sleepUnlessAborted(pauseMs, signal)))
        throw new OutcomeUnknown(name, { kind: 'not-read', cause: 'not-listed' });
    }
    return [];
  };

  const create: Controller['create'] = async (order, count, signal) => {
    assertCount(name, count, maxVouchersPerOrder);
    let sitePath = '';
    const answer = await sites.use(
      order.controllerSite,
      (site) => {
        sitePath = site;
        const path = `/api/s/${site}/cmd/hotspot`;
        return api.ask({ method: 'POST', path, json: toCreateCommand(order, count), signal });
      },
      signal,
    );
    const [first] = unwrapList(answer, name);
    const second = asNumber(asFields(first)['create_time']);
    if (second === undefined) return [];
    return readCreated(name, () => find({ second, order, count }, sitePath, signal));
  };

  return queueOrders(create, { name, maxOrders });
};

/** Controllers expect unlimited values to be omitted, except for uses, where 0 means unlimited. */
const toCreateCommand = (order: VoucherOrder, count: number) => ({
  cmd: 'create-voucher',
  n: count,
  quota: order.maxUses,
  expire: order.expireMinutes,
  note: order.name,
  ...(order.up > 0 && { up: order.up }),
  ...(order.down > 0 && { down: order.down }),
  ...(order.quotaMb > 0 && { bytes: order.quotaMb }),
});

/** The list in an answer. A successful answer without a list counts as empty here. */
const unwrapList = (answer: ClassicAnswer<readonly unknown[]>, name: string): readonly unknown[] =>
  answer.kind === 'broken' && answer.saidYes ? [] : unwrapAnswer(answer, name);

const keyOf = ({ id, code }: ControllerVoucher): string => id ?? code ?? '';
