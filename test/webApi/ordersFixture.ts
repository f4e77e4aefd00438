import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin, type Api, type ApiOptions } from '../support/api.js';
import { makeClock, type Clock } from '../support/clock.js';
import type { Answer } from '../support/service.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import type { Browser } from '../support/web.js';

export type Order = WebSchema<'Order'>;

export const limits = { maxUses: 2, expireMinutes: 60, down: 5000, up: 1000, quotaMb: 100 };

export const place = (browser: Browser, id: string, order: object): Promise<Answer> =>
  browser.put(`/orders/${id}`, { name: 'Zimmer 12', count: 1, limits, ...order });

export const placed = async (browser: Browser, order: object, id: string = randomUUID()): Promise<Order> => {
  const answer = await place(browser, id, order);
  expect(answer.status).toBe(200);
  return answer.body as Order;
};

export const look = async (browser: Browser, id: string): Promise<Order> =>
  (await browser.get(`/orders/${id}`)).body as Order;

export const codesOf = ({ vouchers }: Order): string[] => vouchers.map(({ code }) => code).sort();

export interface OrdersApi {
  readonly api: Api;
  readonly clock: Clock;
  /** The codes that the controller of a site has. */
  codesThere(siteId: number): Promise<unknown[]>;
  /** Settles what is open; resolves with how many orders still are. */
  settle(): Promise<number>;
  /** The same, after the grace period of what is missing. */
  settleForGood(): Promise<number>;
}

/** A service whose clock stands still, and whose controllers may take ten minutes. */
export const withOrders = (options: ApiOptions = {}): OrdersApi => {
  let clock: Clock | undefined;
  const api = withAdmin({
    beforeStart: () => {
      clock = makeClock();
      return { system: clock, env: { CONTROLLER_DEADLINE_S: '600', RECONCILE_GRACE_S: '60' } };
    },
    ...options,
  });
  const currentClock = (): Clock => {
    if (!clock) throw new Error('withOrders(): the clock is there only in hooks and tests');
    return clock;
  };
  const settle = (): Promise<number> => {
    currentClock().advance(600_001);
    return api.app.reconcile();
  };
  return {
    api,
    get clock() {
      return currentClock();
    },
    codesThere: async (siteId) => (await controllerVouchers(api, siteId)).map(({ code }) => code).sort(),
    settle,
    settleForGood: async () => {
      await settle();
      currentClock().advance(60_000);
      return api.app.reconcile();
    },
  };
};
