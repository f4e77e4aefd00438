import type { ControllerHealthSource } from '../controllers/health.js';
import type { System } from '../lib/system.js';
import { compareNames } from '../lib/collections.js';
import type { User } from '../people/users.js';
import type { Sites } from '../sites/sites.js';
import type { Storage } from '../storage/storage.js';
import { listAttention, type Attention, type ControllerStatus } from './attention.js';
import { listDays } from './calendar.js';

export interface Overview {
  /** The days, oldest first. */
  readonly days: readonly string[];
  readonly sites: readonly { readonly id: number; readonly name: string; readonly valid: number }[];
  /** Days and sites without vouchers are left out. */
  readonly vouchers: readonly {
    readonly date: string;
    readonly siteId: number;
    readonly created: number;
    readonly used: number;
  }[];
  readonly controllers: readonly ControllerStatus[];
  readonly attention: readonly Attention[];
}

/** How the service is doing. Staff see their sites, and nothing of controllers. */
export type GetOverview = (
  viewer: Pick<User, 'role' | 'siteIds'>,
  period: { readonly days: number; readonly timeZone: string },
) => Promise<Overview>;

interface OverviewDeps {
  readonly storage: Storage;
  readonly sites: Pick<Sites, 'list'>;
  readonly health: ControllerHealthSource;
  readonly system: System;
  /** After this time an open intent should be settled. */
  readonly intentLimitMs: number;
}

export const makeGetOverview = (deps: OverviewDeps): GetOverview => {
  const { storage, health, system, intentLimitMs } = deps;
  return async (viewer, { days: count, timeZone }) => {
    const now = system.now();
    const days = listDays(now, count, timeZone);
    const sites = await deps.sites.list(viewer);
    const siteIds = sites.map(({ id }) => id);
    const [counts, valid] = await Promise.all([
      storage.voucherStatistics.created(siteIds, days),
      storage.voucherStatistics.valid(siteIds, now),
    ]);
    const controllers = viewer.role === 'admin' ? await listControllers(storage, health) : [];
    return {
      days: days.map(({ date }) => date),
      sites: sites.map(({ id, name }) => ({ id, name, valid: valid.get(id) ?? 0 })),
      vouchers: counts.map(({ span, ...voucher }) => ({ date: days[span]?.date ?? '', ...voucher })),
      controllers,
      attention:
        viewer.role === 'admin' ? await listAttention(storage, { controllers, now, intentLimitMs }) : [],
    };
  };
};

const listControllers = async (
  storage: Storage,
  health: ControllerHealthSource,
): Promise<ControllerStatus[]> =>
  Promise.all(
    (await storage.controllers.all())
      .toSorted(compareNames)
      .map(async ({ id, name }) => ({ id, name, health: await health.healthOf(id) })),
  );
