import type { ControllerVoucher } from '../controllers/controller.js';
import type { Effects } from '../effects.js';
import { groupBy } from '../groupBy.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Site, SiteDirectory } from '../sites/directory.js';
import type { Intent } from '../storage/intents.js';
import type { Storage } from '../storage/storage.js';
import { hasCode, recordOf } from './recording.js';

export interface ReconcilingOptions {
  storage: Storage;
  sites: SiteDirectory;
  effects: Effects;
  metrics: Metrics;
  log: Log;
  /** Names this process as the holder of a lease. */
  owner: string;
  /** An intent younger than this may still be in the hands of whoever wrote it. */
  deadlineMs: number;
  /** An intent older than this, whose voucher is nowhere, led to none. */
  graceMs: number;
}

interface Open {
  readonly intent: Intent;
  readonly site: Site;
}

/** Settles what was left open, and returns how many intents still are. */
export type Reconcile = () => Promise<number>;

/** Renewed before each place; with the interval on top, another process takes over within 30 seconds. */
const leaseMs = 15_000;
/** How far a controller's clock may be off. */
const skewMs = 5 * 60_000;

/**
 * Finds out what became of intents whose outcome is unknown. A controller's voucher has no room for our intent's id,
 * so name, limits and creation time decide, among the vouchers that are not recorded. Intents that look alike are
 * settled together, and only when none of them can still be under way: so no voucher is given to the wrong one.
 */
export const makeReconcile = (options: ReconcilingOptions): Reconcile => {
  const { storage, sites, effects, metrics, log, owner, deadlineMs, graceMs } = options;

  /** Intents with their sites, by the place on a controller where their vouchers would be. */
  const byPlace = async (intents: readonly Intent[]): Promise<Map<string, Open[]>> => {
    const open: Open[] = [];
    for (const intent of intents) {
      const site = await sites.find(intent.siteId);
      if (site) open.push({ intent, site });
    }
    return groupBy(open, ({ site }) => JSON.stringify([site.controllerId, site.controllerSite]));
  };

  const settlePlace = async (place: string, due: readonly Open[]): Promise<void> => {
    const [first] = due;
    if (!first) return;
    const { site } = first;
    const oldest = first.intent.createdAt - skewMs;
    const groups = groupBy(due, ({ intent }) => likenessOf(intent));
    const made: (ControllerVoucher & { id: string; code: string })[] = [];
    for await (const voucher of site.controller.list(site.controllerSite)) {
      const { id, createdAt } = voucher;
      if (hasCode(voucher) && id !== null && createdAt >= oldest && groups.has(likenessOf(voucher)))
        made.push({ ...voucher, id });
    }
    // In this order, so that whoever made a voucher of the list is still among the open ones, or recorded by now.
    const open = groupBy((await byPlace(await storage.intents.all())).get(place) ?? [], ({ intent }) =>
      likenessOf(intent),
    );
    const recorded = await storage.vouchers.recorded(
      site.controllerId,
      made.map(({ id }) => id),
    );
    const found = groupBy(
      made.filter(({ id }) => !recorded.has(id)),
      likenessOf,
    );
    for (const [likeness, group] of groups) {
      const underWay = open.get(likeness)?.some(({ intent }) => !isDue(intent));
      if (!underWay) await settleGroup(group, found.get(likeness) ?? []);
    }
  };

  const settleGroup = async (
    group: readonly Open[],
    found: (ControllerVoucher & { code: string })[],
  ): Promise<void> => {
    for (const { intent, site } of group) {
      const index = found.findIndex(({ createdAt }) => createdAt >= intent.createdAt - skewMs);
      const [made] = index < 0 ? [] : found.splice(index, 1);
      if (made) {
        const { created, record } = recordOf(intent, site, made, effects);
        if (await storage.vouchers.record({ ...record, answer: JSON.stringify(created) }))
          note('adopted', intent);
      } else if (effects.now() - intent.createdAt > deadlineMs + graceMs) {
        await storage.intents.remove(intent.id);
        note('removed', intent);
      }
    }
  };

  const note = (outcome: 'adopted' | 'removed', intent: Intent): void => {
    metrics.reconciled(outcome);
    log.info({ intent: intent.id, site: intent.siteId, outcome }, 'intent reconciled');
  };

  const isDue = ({ createdAt }: Intent): boolean => effects.now() - createdAt > deadlineMs;

  return async () => {
    const intents = await storage.intents.all();
    const due = intents.filter(isDue);
    if (due.length === 0) return intents.length;
    for (const [place, open] of await byPlace(due)) {
      if (!(await storage.leases.take('reconcile', owner, effects.now(), leaseMs))) return intents.length;
      try {
        await settlePlace(place, open);
      } catch (error) {
        log.warn({ err: error, place }, 'not reconciled; tried again later');
      }
    }
    return (await storage.intents.all()).length;
  };
};

type Limits = Pick<Intent, 'name' | 'maxUses' | 'expireMinutes' | 'down' | 'up' | 'quotaMb'>;

/** What an intent and its voucher on the controller have in common. */
const likenessOf = ({ name, maxUses, expireMinutes, down, up, quotaMb }: Limits): string =>
  JSON.stringify([name, maxUses, expireMinutes, down, up, quotaMb]);
