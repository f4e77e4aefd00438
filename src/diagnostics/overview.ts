import { LRUCache } from 'lru-cache';
import type { ControllerHealthSource } from '../controllers/health.js';
import type { System } from '../lib/system.js';
import { compareNames } from '../lib/collections.js';
import type { User } from '../users/users.js';
import type { Sites } from '../sites/sites.js';
import type { DiagnosedTables } from './tables.js';
import { listAttention, type Attention, type ControllerStatus } from './attention.js';
import { listDays } from './calendar.js';
import type { FirstStepList, FirstSteps } from './firstSteps.js';

/** The vouchers of today. */
interface Figures {
  readonly createdToday: number;
  /** Those that were used, and can be used now. */
  readonly inUse: number;
  /** Those that can be used now, and expire before the day ends. */
  readonly endingToday: number;
}

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
  readonly figures: Figures;
  readonly controllers: readonly ControllerStatus[];
  readonly attention: readonly Attention[];
  /** Null for staff. */
  readonly firstSteps: FirstStepList | null;
}

/** How the service is doing. Staff see their sites, and nothing of controllers. */
export type GetOverview = (
  viewer: Pick<User, 'role' | 'siteIds'>,
  period: { readonly days: number; readonly timeZone: string },
) => Promise<Overview>;

interface OverviewDeps {
  readonly tables: DiagnosedTables;
  readonly sites: Pick<Sites, 'list'>;
  readonly firstSteps: Pick<FirstSteps, 'list'>;
  readonly health: ControllerHealthSource;
  readonly system: System;
  /** After this time an open intent should be settled. */
  readonly intentLimitMs: number;
}

const maxCachedCounts = 50;
/** Vouchers expire without a change. */
const maxCountAgeMs = 60_000;

export const makeGetOverview = (deps: OverviewDeps): GetOverview => {
  const { tables, health, system, intentLimitMs } = deps;

  /**
   * Counting takes a while, and every change asks every page
   * to do it: while nothing has changed, it is done once.
   */
  const counted = new LRUCache<string, ReturnType<typeof count>>({
    max: maxCachedCounts,
    ttl: maxCountAgeMs,
  });
  const count = async (siteIds: readonly number[], days: ReturnType<typeof listDays>, now: number) => {
    const today = days.length - 1;
    // One after the other, which leaves connections to others.
    const counts = await tables.voucherStatistics.created(siteIds, days);
    const usable = await tables.voucherStatistics.usable(siteIds, { from: now, to: days[today]?.to ?? now });
    const createdToday = counts
      .filter(({ span }) => span === today)
      .reduce((sum, { created }) => sum + created, 0);
    const sum = (kind: 'inUse' | 'ending'): number => usable.reduce((total, site) => total + site[kind], 0);
    return {
      counts,
      valid: new Map(usable.map(({ siteId, valid }) => [siteId, valid])),
      figures: { createdToday, inUse: sum('inUse'), endingToday: sum('ending') },
    };
  };
  const statistics = async (siteIds: readonly number[], days: ReturnType<typeof listDays>, now: number) => {
    const key = JSON.stringify([await tables.revisions.total(), siteIds, days]);
    const known = counted.get(key);
    if (known) return known;
    const counting = count(siteIds, days, now);
    counted.set(key, counting);
    counting.catch(() => counted.delete(key));
    return counting;
  };

  return async (viewer, { days: count, timeZone }) => {
    const now = system.now();
    const days = listDays(now, count, timeZone);
    const sites = await deps.sites.list(viewer);
    const siteIds = sites.map(({ id }) => id);
    const { counts, valid, figures } = await statistics(siteIds, days, now);
    const controllers = viewer.role === 'admin' ? await listControllers(tables, health) : [];
    return {
      days: days.map(({ date }) => date),
      sites: sites.map(({ id, name }) => ({ id, name, valid: valid.get(id) ?? 0 })),
      vouchers: counts.map(({ span, ...voucher }) => ({ date: days[span]?.date ?? '', ...voucher })),
      figures,
      controllers,
      attention:
        viewer.role === 'admin' ? await listAttention(tables, { controllers, now, intentLimitMs }) : [],
      firstSteps: viewer.role === 'admin' ? await deps.firstSteps.list() : null,
    };
  };
};

const listControllers = async (
  tables: DiagnosedTables,
  health: ControllerHealthSource,
): Promise<ControllerStatus[]> =>
  Promise.all(
    (await tables.controllers.all())
      .toSorted(compareNames)
      .map(async ({ id, name }) => ({ id, name, health: await health.healthOf(id) })),
  );
