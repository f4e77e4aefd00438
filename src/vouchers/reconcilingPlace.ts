import type { Controller, ControllerVoucher } from '../controllers/controller.js';
import type { Effects } from '../effects.js';
import { groupBy } from '../groupBy.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Place, TiedController } from '../sites/directory.js';
import type { Intent } from '../storage/intents.js';
import type { StoredSite } from '../storage/sites.js';
import type { Storage } from '../storage/storage.js';
import { hasCode, recordOf } from './recording.js';
import { inBatches } from './syncBatches.js';

export interface ReconcilePlaceOptions {
  storage: Storage;
  effects: Effects;
  metrics: Metrics;
  log: Log;
  /** An intent younger than this may still be in the hands of whoever wrote it. */
  deadlineMs: number;
  /** An intent whose voucher was missing on the controller's lists for this long led to none. */
  graceMs: number;
}

export interface ReconcilePlace {
  isDue(intent: Intent): boolean;
  /** Settles what is due of one place. */
  settle(asked: Asked): Promise<void>;
  /** Removes, after the grace period, intents whose controller was removed: there is nobody left to ask. */
  giveUp(intents: readonly Intent[]): Promise<void>;
}

/** A place, and what is needed to ask for it. */
export interface Asked {
  readonly tied: TiedController;
  readonly controller: Controller;
  readonly place: Place;
  readonly signal: AbortSignal;
}

interface Open {
  readonly intent: Intent;
  readonly site: StoredSite;
}

type Found = ControllerVoucher & { readonly id: string; readonly code: string };

/** How far a controller's clock is off at most, as a rule. */
const skewMs = 5 * 60_000;
const batchSize = 500;

/**
 * Finds out what became of intents whose outcome is unknown. A controller's voucher has no room for our intent's id,
 * so name, limits and creation time decide, among the vouchers that are not recorded. Intents that look alike are
 * settled together, and only when none of them can still be under way: so no voucher is given to the wrong one.
 *
 * The clock of a controller may be off by hours, and its vouchers then look too old. So an intent that would be given
 * up takes, before that, any voucher that looks like it, is not recorded and was never used. Records are never
 * deleted, so it is no voucher that anybody was told of; its name holds the day of the order. At worst it was made for
 * an earlier order of that day, alike in everything, that ended without a record: it is what this one asked for, too.
 * It has to wait that long because a voucher with the right time may still turn up.
 *
 * A controller that froze may make a voucher after it can be asked again. So the grace period begins with the first
 * list on which the voucher is missing, and not with the order; a process that starts begins it anew.
 */
export const makeReconcilePlace = (options: ReconcilePlaceOptions): ReconcilePlace => {
  const { storage, effects, metrics, log, deadlineMs, graceMs } = options;

  const ageOf = ({ createdAt }: Intent): number => effects.now() - createdAt;
  /** One that lies further ahead than it may last was written before the clock was set back. */
  const isOlder = (intent: Intent, ms: number): boolean => Math.abs(ageOf(intent)) > ms;
  const isDue = (intent: Intent): boolean => isOlder(intent, deadlineMs);
  /** Intent → when its voucher was first missing on a whole list. */
  const missing = new Map<string, number>();
  const isLate = ({ id }: Intent): boolean => {
    const now = effects.now();
    const since = Math.min(missing.get(id) ?? now, now);
    missing.set(id, since);
    return now - since >= graceMs;
  };

  const openAt = async (
    { sites }: Place,
    { places }: TiedController,
  ): Promise<{ groups: Map<string, Open[]>; underWay: Set<string> }> => {
    const bySite = new Map(sites.map((site) => [site.id, site]));
    const intents = await storage.intents.all();
    const open = intents.flatMap((intent) => {
      const site = bySite.get(intent.siteId);
      return site ? [{ intent, site }] : [];
    });
    const ids = new Set(intents.map(({ id }) => id));
    for (const id of missing.keys()) if (!ids.has(id)) missing.delete(id);
    // Two places may be the same one by another name, so all of the controller's orders count.
    const here = new Set(places.flatMap((place) => place.sites.map(({ id }) => id)));
    const underWay = intents.filter((intent) => here.has(intent.siteId) && !isDue(intent)).map(likenessOf);
    return { groups: groupBy(open, ({ intent }) => likenessOf(intent)), underWay: new Set(underWay) };
  };

  const adopt = async ({ intent, site }: Open, made: Found): Promise<void> => {
    const { created, record } = recordOf(intent, site, made, effects);
    if (await storage.vouchers.record({ ...record, answer: JSON.stringify(created) }))
      note('adopted', intent);
  };

  const remove = async (intent: Intent): Promise<void> => {
    await storage.intents.remove(intent.id);
    note('removed', intent);
  };

  const note = (outcome: 'adopted' | 'removed', intent: Intent): void => {
    metrics.reconciled(outcome);
    log.info({ intent: intent.id, site: intent.siteId, outcome }, 'intent reconciled');
  };

  /** Both the intents and what was found are alike; the intents come oldest first. */
  const settleGroup = async (group: readonly Open[], found: readonly Found[]): Promise<void> => {
    const older = [...found].sort((a, b) => a.createdAt - b.createdAt);
    const newest = older.splice(-group.length);
    const without: Open[] = [];
    for (const open of group) {
      const index = newest.findIndex(({ createdAt }) => createdAt >= open.intent.createdAt - skewMs);
      const [made] = index < 0 ? [] : newest.splice(index, 1);
      if (made) await adopt(open, made);
      else without.push(open);
    }
    const unused = [...older, ...newest].filter(({ usedCount, expired }) => usedCount === 0 && !expired);
    for (const open of without) {
      if (!isLate(open.intent)) continue;
      const made = unused.pop();
      if (made) await adopt(open, made);
      else await remove(open.intent);
    }
  };

  return {
    isDue,
    settle: async ({ tied, controller, place, signal }) => {
      const { groups: wanted } = await openAt(place, tied);
      const made: Found[] = [];
      const list = controller.list(place.controllerSite, signal);
      for await (const batch of inBatches(list, batchSize, signal)) {
        for (const voucher of batch) {
          const { id } = voucher;
          // What has no id is not adopted: only the id can tell that a voucher is recorded already.
          if (hasCode(voucher) && id !== null && wanted.has(likenessOf(voucher)))
            made.push({ ...voucher, id });
        }
      }
      // In this order, so that whoever made a voucher of the list is still among the open ones, or recorded by now.
      const { groups: open, underWay } = await openAt(place, tied);
      const recorded = await storage.vouchers.recorded(tied.id, made);
      const unrecorded = made.filter(({ id }) => !recorded.has(id));
      const found = groupBy(unrecorded, likenessOf);
      for (const [likeness, group] of open) {
        signal.throwIfAborted();
        // What came up since the list began was not looked for on it.
        if (wanted.has(likeness) && !underWay.has(likeness))
          await settleGroup(group, found.get(likeness) ?? []);
      }
    },
    giveUp: async (intents) => {
      const open = new Set((await storage.intents.all()).map(({ id }) => id));
      for (const intent of intents)
        if (isOlder(intent, deadlineMs + graceMs) && open.has(intent.id)) await remove(intent);
    },
  };
};

type Limits = Pick<Intent, 'name' | 'maxUses' | 'expireMinutes' | 'down' | 'up' | 'quotaMb'>;

/** What an intent and its voucher on the controller have in common. */
const likenessOf = ({ name, maxUses, expireMinutes, down, up, quotaMb }: Limits): string =>
  JSON.stringify([name, maxUses, expireMinutes, down, up, quotaMb]);
