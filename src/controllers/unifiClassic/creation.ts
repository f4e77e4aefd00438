import { LRUCache } from 'lru-cache';
import type { System } from '../../lib/system.js';
import type { Controller, ControllerVoucher, VoucherOrder } from '../controller.js';
import { sleepUnlessAborted } from '../deadline.js';
import { ControllerError, deadlineError, OutcomeUnknown } from '../errors.js';
import { makeCallQueue } from '../https/queue.js';
import { hasSameLimits, isAlteredName, isUntouched } from '../match.js';
import { asFields, asNumber } from '../parsing.js';
import { type ClassicApi } from './classicApi.js';
import type { ClassicSites } from './sites.js';
import { parseClassicVoucher } from './voucher.js';
import { type ClassicAnswer, unwrapAnswer } from './answer.js';

interface ClassicCreateOptions {
  readonly api: ClassicApi;
  readonly sites: ClassicSites;
  readonly name: string;
  readonly system: System;
  /** Which of these vouchers of the controller are not recorded? With `anyName` their codes alone count. */
  unrecorded(vouchers: readonly ControllerVoucher[], anyName?: boolean): Promise<ControllerVoucher[]>;
  /** How many orders may be under way at a time. */
  readonly maxOrders: number;
}

/** What a controller has said yes to. */
interface AcceptedOrder {
  /** When it says that it made the vouchers. */
  readonly second: number;
  readonly order: VoucherOrder;
  readonly count: number;
}

const maxVouchersPerOrder = 1000;

/** A voucher may be made and not be visible yet; then it is looked for again, after each of these. */
const pausesMs = [150, 350, 700, 1500, 2000];

/** Only vouchers of the same second can be confused, so these are remembered for much longer than needed. */
const remembered = { max: 20_000, ttl: 10 * 60_000 };

export const makeClassicCreate = ({
  api,
  sites,
  name,
  system,
  unrecorded,
  maxOrders,
}: ClassicCreateOptions): Controller['create'] => {
  /** Vouchers that were given to an order of this process, by id or code. */
  const given = new LRUCache<string, true>(remembered);
  const isFree = (voucher: ControllerVoucher): boolean => !given.has(keyOf(voucher));

  /** Of vouchers that look alike each is given out once, the newest first: an older one may be another process's. */
  const take = (free: readonly ControllerVoucher[], count: number): readonly ControllerVoucher[] => {
    // Ids grow with time.
    const taken = [...free]
      .sort((one, other) => ((one.id ?? '') < (other.id ?? '') ? 1 : -1))
      .slice(0, count);
    for (const voucher of taken) given.set(keyOf(voucher), true);
    return taken;
  };

  /**
   * The order's vouchers among those of their second. A console may alter the name. So when none has it, those with the
   * same limits are the order's if there are exactly as many as were ordered, none of them recorded. With a name that
   * can not have become of the order's they are taken only at last, because its own may still turn up.
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

  /** Empty when the controller never shows what it made. */
  const find = async (
    made: AcceptedOrder,
    site: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly ControllerVoucher[]> => {
    for (const pauseMs of [...pausesMs, undefined]) {
      const path = `/api/s/${site}/stat/voucher`;
      const verdict = await api.ask({ method: 'POST', path, json: { create_time: made.second }, signal });
      const found = await choose(unwrapList(verdict, name), made, pauseMs === undefined).catch(
        (error: unknown) => {
          // What is recorded could not be asked just now; there is another look.
          if (pauseMs === undefined) throw error;
          return undefined;
        },
      );
      if (found) return found;
      if (pauseMs !== undefined && !(await sleepUnlessAborted(pauseMs, signal)))
        throw new OutcomeUnknown(name, { trouble: 'not-read', cause: 'not-listed' });
    }
    return [];
  };

  const create: Controller['create'] = async (order, count, signal) => {
    if (!Number.isInteger(count) || count < 1 || count > maxVouchersPerOrder)
      throw new ControllerError(name, {
        trouble: 'bounds',
        reason: 'count',
        from: 1,
        to: maxVouchersPerOrder,
      });
    let place = '';
    const verdict = await sites.use(
      order.controllerSite,
      (site) => {
        place = site;
        const path = `/api/s/${site}/cmd/hotspot`;
        return api.ask({ method: 'POST', path, json: toCreateCommand(order, count), signal });
      },
      signal,
    );
    const [made] = unwrapList(verdict, name);
    const second = asNumber(asFields(made)['create_time']);
    if (second === undefined) return [];
    // From here on there is a voucher, whatever happens.
    try {
      return await find({ second, order, count }, place, signal);
    } catch (error) {
      if (error instanceof OutcomeUnknown && error.trouble === 'not-read') throw error;
      const told = error instanceof ControllerError || error instanceof OutcomeUnknown;
      throw new OutcomeUnknown(name, { trouble: 'not-read', cause: told ? error.failure : undefined });
    }
  };

  // Whoever has made a voucher must not wait for it behind those who have not even begun.
  const turns = makeCallQueue(maxOrders);
  return (order, count, signal = new AbortController().signal) =>
    turns.add(
      () => create(order, count, signal),
      signal,
      () => deadlineError(name),
    );
};

/** Limits that are none are left out, as a controller expects it; unlimited uses are 0. */
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

/** What an answer lists. One that says yes without a list shows nothing, which is no failure here. */
const unwrapList = (verdict: ClassicAnswer<readonly unknown[]>, name: string): readonly unknown[] =>
  verdict.kind === 'broken' && verdict.saidYes ? [] : unwrapAnswer(verdict, name);

const keyOf = ({ id, code }: ControllerVoucher): string => id ?? code ?? '';
