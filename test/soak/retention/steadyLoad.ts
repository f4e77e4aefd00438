import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededService } from './endedVouchers.js';

/** How long requests took, by what was asked, and how many failed. */
export interface LoadTimes {
  readonly lists: number[];
  readonly orders: number[];
  failures: number;
}

export const noTimes = (): LoadTimes => ({ lists: [], orders: [], failures: 0 });

export interface LoadRates {
  readonly listsPerSecond: number;
  readonly ordersPerSecond: number;
}

const tickMs = 10;

/**
 * Sends requests at a fixed rate, whether the earlier ones were answered or not, as independent clients do. Times count
 * from when a request was due, so a stall of the service is in the times of all that came meanwhile.
 */
export const runSteadyLoad = async (
  url: string,
  { key, siteIds }: SeededService,
  { listsPerSecond, ordersPerSecond }: LoadRates,
  ms: number,
  times: LoadTimes,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers = { Authorization: `Bearer ${key}` };
  const pending = new Set<Promise<void>>();
  let turn = 0;
  const nextSite = (): number => siteIds[turn++ % siteIds.length] ?? 0;

  const send = (into: number[], dueAt: number, body?: string): void => {
    const path = body === undefined ? `/vouchers.php?site_id=${String(nextSite())}` : '/vouchers.php';
    const options = { agent, headers, method: body === undefined ? 'GET' : 'POST' };
    const done = new Promise<void>((resolve) => {
      const sent = request(`${url}${path}`, options, (answer) => {
        if (answer.statusCode !== (body === undefined ? 200 : 201)) times.failures += 1;
        answer.resume().once('end', () => {
          into.push(performance.now() - dueAt);
          resolve();
        });
      });
      sent.once('error', () => {
        times.failures += 1;
        resolve();
      });
      sent.end(body);
    }).finally(() => pending.delete(done));
    pending.add(done);
  };

  const began = performance.now();
  let [lists, orders] = [0, 0];
  for (let now = began; now - began < ms; now = performance.now()) {
    const elapsedS = (now - began) / 1000;
    for (; lists < elapsedS * listsPerSecond; lists += 1)
      send(times.lists, began + (lists / listsPerSecond) * 1000);
    for (; orders < elapsedS * ordersPerSecond; orders += 1)
      send(
        times.orders,
        began + (orders / ordersPerSecond) * 1000,
        JSON.stringify({ site_id: nextSite(), name: 'Last' }),
      );
    await sleep(tickMs);
  }
  await Promise.all(pending);
  agent.destroy();
};
