import { LRUCache } from 'lru-cache';
import type { Effects } from '../../effects.js';
import { fieldsOf, numberOf } from '../connection/reading.js';
import { late } from '../connection/errors.js';
import { makeTurns } from '../connection/turns.js';
import { paused } from '../connection/waiting.js';
import {
  ControllerError,
  OutcomeUnknown,
  type Controller,
  type ControllerVoucher,
  type VoucherOrder,
} from '../controller.js';
import type { Api } from './api.js';
import type { Sites } from './sites.js';
import { settle } from './verdict.js';
import { isOrdered, toVoucher } from './voucher.js';

export interface CreatingOptions {
  readonly api: Api;
  readonly sites: Sites;
  readonly name: string;
  readonly effects: Effects;
  /** How many orders may be under way at a time. */
  readonly maxOrders: number;
}

const mostAtOnce = 1000;

/** A voucher may be made and not be visible yet; then it is looked for again, after each of these. */
const pausesMs = [150, 350, 700, 1500, 2000];

/** Only vouchers of the same second can be confused, so these are remembered for much longer than needed. */
const remembered = { max: 20_000, ttl: 10 * 60_000 };

export const makeCreate = ({
  api,
  sites,
  name,
  effects,
  maxOrders,
}: CreatingOptions): Controller['create'] => {
  const given = new LRUCache<string, true>(remembered);

  /**
   * Vouchers of that second that look like the order. Of those that look alike, each is given out once, the newest
   * first: an older one may be in the hands of another process.
   */
  const take = (
    rows: readonly unknown[],
    second: number,
    order: VoucherOrder,
    count: number,
  ): readonly ControllerVoucher[] | undefined => {
    const found = rows
      .filter((row) => !given.has(String(fieldsOf(row)['_id'])))
      .map((row) => toVoucher(row, effects.now()))
      .filter(({ id, createdAt }) => id !== null && createdAt === second * 1000)
      .filter((voucher) => isOrdered(voucher, order))
      // Ids grow with time.
      .sort((one, other) => (String(one.id) < String(other.id) ? 1 : -1))
      .slice(0, count);
    if (found.length < count) return undefined;
    for (const { id } of found) given.set(String(id), true);
    return found;
  };

  const find = async (
    site: string,
    second: number,
    order: VoucherOrder,
    count: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly ControllerVoucher[]> => {
    for (const pauseMs of [...pausesMs, undefined]) {
      const path = `/api/s/${site}/stat/voucher`;
      const rows = await api.data({ method: 'POST', path, json: { create_time: second }, signal });
      const found = take(rows, second, order, count);
      if (found) return found;
      if (pauseMs !== undefined && !(await paused(pauseMs, signal))) break;
    }
    throw new OutcomeUnknown(name, { trouble: 'not-read', cause: 'not-listed' });
  };

  const create: Controller['create'] = async (order, count, signal) => {
    if (!Number.isInteger(count) || count < 1 || count > mostAtOnce)
      throw new ControllerError(name, { trouble: 'bounds', reason: 'count', from: 1, to: mostAtOnce });
    let place = '';
    const verdict = await sites.use(
      order.controllerSite,
      (site) => {
        place = site;
        const path = `/api/s/${site}/cmd/hotspot`;
        return api.ask({ method: 'POST', path, json: commandOf(order, count), signal });
      },
      signal,
    );
    const [made] = settle(verdict, name);
    const second = numberOf(fieldsOf(made)['create_time']);
    if (second === undefined)
      throw new OutcomeUnknown(name, { trouble: 'unreadable', reason: 'no-creation-time' });
    // From here on there is a voucher, whatever happens.
    try {
      return await find(place, second, order, count, signal);
    } catch (error) {
      if (error instanceof OutcomeUnknown && error.trouble === 'not-read') throw error;
      const told = error instanceof ControllerError || error instanceof OutcomeUnknown;
      throw new OutcomeUnknown(name, { trouble: 'not-read', cause: told ? error.failure : undefined });
    }
  };

  // Whoever has made a voucher must not wait for it behind those who have not even begun.
  const turns = makeTurns(maxOrders);
  return (order, count, signal = new AbortController().signal) =>
    turns.take(
      () => create(order, count, signal),
      signal,
      () => late(name),
    );
};

/** Limits that are none are left out, as a controller expects it; unlimited uses are 0. */
const commandOf = (order: VoucherOrder, count: number) => ({
  cmd: 'create-voucher',
  n: count,
  quota: order.maxUses,
  expire: order.expireMinutes,
  note: order.name,
  ...(order.up > 0 && { up: order.up }),
  ...(order.down > 0 && { down: order.down }),
  ...(order.quotaMb > 0 && { bytes: order.quotaMb }),
});
