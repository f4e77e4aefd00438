import type { ClockOffset, Controller, ControllerVoucher, TimeRange } from '../../controllers/controller.js';
import {
  hasSameLimits,
  isAlteredName,
  isInTimeRange,
  isUntouched,
  type VoucherLimits,
} from '../../controllers/match.js';
import { groupBy, readInBatches } from '../../lib/collections.js';
import type { Log } from '../../lib/log.js';
import type { Metrics } from '../../lib/metrics.js';
import type { System } from '../../lib/system.js';
import type { ControllerSite, ControllerWithSites } from '../../sites/siteDirectory.js';
import type { Intent } from '../../storage/intents.js';
import type { StoredSite } from '../../storage/sites.js';
import type { Storage } from '../../storage/storage.js';
import { buildVoucherRecord, hasCode, type CodedVoucher } from '../record.js';

export interface ControllerSiteReconcilerDeps {
  storage: Storage;
  system: System;
  metrics: Metrics;
  log: Log;
  /** An intent younger than this may still be in the hands of whoever wrote it. */
  deadlineMs: number;
  /** An intent whose voucher was missing on the controller's lists for this long led to none. */
  graceMs: number;
}

export interface ControllerSiteReconciler {
  isDue(intent: Intent): boolean;
  /** Settles what is due of one place. */
  settle(asked: SettleRequest): Promise<void>;
  /** Removes, after the grace period, intents whose controller was removed: there is nobody left to ask. */
  giveUp(intents: readonly Intent[]): Promise<void>;
}

/** A place, and what is needed to ask for it. */
export interface SettleRequest {
  readonly controllerWithSites: ControllerWithSites;
  readonly controller: Controller;
  readonly controllerSite: ControllerSite;
  readonly signal: AbortSignal;
}

interface OpenIntent {
  readonly intent: Intent;
  readonly site: StoredSite;
}

/** A place, and how its controller's clock stands. */
interface SettleContext extends SettleRequest {
  readonly offset: ClockOffset;
}

/** Open intents that look alike, oldest first, and what the controller has of them. */
interface MatchGroup {
  readonly open: readonly OpenIntent[];
  readonly found: readonly ControllerVoucher[];
  /** Vouchers whose name the controller may have altered. */
  readonly altered: readonly ControllerVoucher[];
}

const batchSize = 500;

/** Controllers tell times in whole seconds, and the end of a request is not seen at the same moment by both sides. */
const toleranceMs = 2000;
/** How far the clock of a controller that does not tell its time may be off. */
const unknownOffset: ClockOffset = { atLeast: -5 * 60_000, atMost: 5 * 60_000 };

/**
 * Finds out what became of intents whose outcome is unknown. A controller's voucher has no room for our intent's id,
 * so name, limits and creation time decide, among the vouchers that are not recorded and were never used. Intents that
 * look alike are settled together, and only when none of them can still be under way: so no voucher is given to the
 * wrong one.
 *
 * A voucher of an intent was created between the beginning and the end of its order, by the controller's clock, which
 * may be wrong by hours: its answers show by how much. What was created before or after that was made by somebody else,
 * however much it looks alike, and is left alone.
 *
 * An intent is void when its client was told that there is no voucher: then the voucher is revoked, not recorded. So is
 * one whose code the controller never shows, because nobody can ever use it.
 *
 * A voucher may become visible late. So the grace period begins with the first list on which it is missing, and not
 * with the order; a process that starts begins it anew.
 */
export const makeControllerSiteReconciler = (
  options: ControllerSiteReconcilerDeps,
): ControllerSiteReconciler => {
  const { storage, system, metrics, log, deadlineMs, graceMs } = options;

  const ageOf = ({ createdAt }: Intent): number => system.now() - createdAt;
  /** One that lies further ahead than it may last was written before the clock was set back. */
  const isOlder = (intent: Intent, ms: number): boolean => Math.abs(ageOf(intent)) > ms;
  const isDue = (intent: Intent): boolean => isOlder(intent, deadlineMs);
  /** Intent → when its voucher was first missing on a whole list. */
  const missing = new Map<string, number>();
  const isLate = ({ id }: Intent): boolean => {
    const now = system.now();
    const since = Math.min(missing.get(id) ?? now, now);
    missing.set(id, since);
    return now - since >= graceMs;
  };

  const openAt = async (
    { sites }: ControllerSite,
    { controllerSites }: ControllerWithSites,
  ): Promise<{ groups: Map<string, OpenIntent[]>; underWay: Set<string> }> => {
    const bySite = new Map(sites.map((site) => [site.id, site]));
    const intents = await storage.intents.all();
    const open = intents.flatMap((intent) => {
      const site = bySite.get(intent.siteId);
      return site ? [{ intent, site }] : [];
    });
    const ids = new Set(intents.map(({ id }) => id));
    for (const id of missing.keys()) if (!ids.has(id)) missing.delete(id);
    // Two places may be the same one by another name, so all of the controller's orders count.
    const here = new Set(controllerSites.flatMap((place) => place.sites.map(({ id }) => id)));
    const underWay = intents.filter((intent) => here.has(intent.siteId) && !isDue(intent)).map(matchKey);
    return { groups: groupBy(open, ({ intent }) => matchKey(intent)), underWay: new Set(underWay) };
  };

  /** When, by the controller's clock, the voucher of an intent must have been created. */
  const rangeOf = ({ createdAt, ended }: Intent, measured: ClockOffset): TimeRange => {
    const { atLeast, atMost } = ended?.clock ?? measured;
    const endedAt = ended?.at ?? createdAt + deadlineMs;
    return { from: createdAt + atLeast, to: endedAt + atMost + toleranceMs };
  };

  const adopt = async ({ intent, site }: OpenIntent, made: CodedVoucher): Promise<boolean> => {
    const { created, record } = buildVoucherRecord(intent, site, made, system);
    const isNew = await storage.vouchers.record({ ...record, answer: JSON.stringify(created) });
    if (isNew) note('adopted', intent);
    return isNew;
  };

  const revoke = async (
    { controllerWithSites, controller, controllerSite, signal }: SettleContext,
    { intent }: OpenIntent,
    voucher: ControllerVoucher,
  ): Promise<boolean> => {
    const { id } = voucher;
    if (id === null) return false;
    // An order alike may have recorded it since the list was compared with the records.
    if ((await storage.vouchers.unrecorded(controllerWithSites.id, [voucher], true)).length === 0)
      return false;
    try {
      await controller.revoke(controllerSite.id, id, signal);
    } catch (error) {
      signal.throwIfAborted();
      // An account that may not delete keeps no other intent waiting.
      log.warn({ err: error, intent: intent.id, voucher: id }, 'voucher not revoked');
      return false;
    }
    await storage.intents.remove(intent.id);
    note('revoked', intent);
    return true;
  };

  /** Records the voucher for the intent, or revokes it when nobody waits for it or can ever use it. */
  const give = (look: SettleContext, open: OpenIntent, voucher: ControllerVoucher): Promise<boolean> =>
    isVoid(open) || !hasCode(voucher) ? revoke(look, open, voucher) : adopt(open, voucher);

  const remove = async (intent: Intent): Promise<void> => {
    await storage.intents.remove(intent.id);
    note('removed', intent);
  };

  const note = (outcome: 'adopted' | 'revoked' | 'removed', intent: Intent): void => {
    metrics.reconciled(outcome);
    log.info({ intent: intent.id, site: intent.siteId, outcome }, 'intent reconciled');
  };

  const settleGroup = async (look: SettleContext, { open, found, altered }: MatchGroup): Promise<void> => {
    const left = [...found].sort((one, other) => one.createdAt - other.createdAt);
    // Who still hopes for a voucher comes before those whose voucher is only to be revoked.
    const inOrder = [...open.filter((one) => !isVoid(one)), ...open.filter(isVoid)];
    for (const [index, one] of inOrder.entries()) {
      look.signal.throwIfAborted();
      const isCandidate = ({ createdAt }: ControllerVoucher): boolean =>
        isInTimeRange(createdAt, rangeOf(one.intent, look.offset));
      const candidates = left.filter(isCandidate);
      const given = await findFirst(isVoid(one) ? candidates : candidates.filter(hasCode), (voucher) =>
        // One of more than there are intents is somebody else's, and it can't be told which.
        isVoid(one) && candidates.length > inOrder.length - index
          ? Promise.resolve(false)
          : give(look, one, voucher),
      );
      if (given) left.splice(left.indexOf(given), 1);
      else if (isLate(one.intent)) await settleLast(look, one, candidates, altered.filter(isCandidate));
    }
  };

  /** For an intent that is given up otherwise: vouchers without a code, and those with an altered name. */
  const settleLast = async (
    look: SettleContext,
    open: OpenIntent,
    candidates: readonly ControllerVoucher[],
    altered: readonly ControllerVoucher[],
  ): Promise<void> => {
    const codeless = candidates.filter((voucher) => !hasCode(voucher));
    const likely = codeless.length > 0 ? codeless : altered;
    const [only] = likely;
    const isSettled = only && likely.length === 1 && (await give(look, open, only));
    if (!isSettled) await remove(open.intent);
  };

  return {
    isDue,
    settle: async (asked) => {
      const { controllerWithSites, controller, controllerSite, signal } = asked;
      const { groups: wanted } = await openAt(controllerSite, controllerWithSites);
      const intents = [...wanted.values()].flat().map(({ intent }) => intent);
      const offset = (await controller.clock.measure(signal)) ?? unknownOffset;
      const ranges = intents.map((intent) => rangeOf(intent, offset));
      const made: ControllerVoucher[] = [];
      const list = controller.createdIn(controllerSite.id, ranges, signal);
      for await (const batch of readInBatches(list, batchSize, signal))
        made.push(
          ...batch.filter(
            (voucher) =>
              isUntouched(voucher) && (wanted.has(matchKey(voucher)) || mayBeAlteredFrom(voucher, intents)),
          ),
        );
      // In this order, so that whoever made a voucher of the list is still among the open ones, or recorded by now.
      const { groups: open, underWay } = await openAt(controllerSite, controllerWithSites);
      const { unrecorded } = storage.vouchers;
      const found = groupBy(await unrecorded(controllerWithSites.id, made), matchKey);
      const nobodys = made.filter(
        (voucher) => !open.has(matchKey(voucher)) && !underWay.has(matchKey(voucher)),
      );
      const altered = await unrecorded(controllerWithSites.id, nobodys, true);
      for (const [likeness, group] of open) {
        // What came up since the list began was not looked for on it.
        if (!wanted.has(likeness) || underWay.has(likeness)) continue;
        const ofGroup = group.map(({ intent }) => intent);
        await settleGroup(
          { ...asked, offset },
          {
            open: group,
            found: found.get(likeness) ?? [],
            altered: altered.filter((voucher) => mayBeAlteredFrom(voucher, ofGroup)),
          },
        );
      }
    },
    giveUp: async (intents) => {
      const open = new Set((await storage.intents.all()).map(({ id }) => id));
      for (const intent of intents)
        if (isOlder(intent, deadlineMs + graceMs) && open.has(intent.id)) await remove(intent);
    },
  };
};

/** What an intent and its voucher on the controller have in common. */
const matchKey = ({
  name,
  maxUses,
  expireMinutes,
  down,
  up,
  quotaMb,
}: VoucherLimits & { readonly name: string }): string =>
  JSON.stringify([name, maxUses, expireMinutes, down, up, quotaMb]);

/** May a controller have made this of the name of one of these? */
const mayBeAlteredFrom = (voucher: ControllerVoucher, intents: readonly Intent[]): boolean =>
  intents.some((intent) => hasSameLimits(voucher, intent) && isAlteredName(voucher.name, intent.name));

const isVoid = ({ intent }: OpenIntent): boolean => intent.ended?.isVoid === true;

/** The first item with which it works. */
const findFirst = async <T>(
  items: readonly T[],
  works: (item: T) => Promise<boolean>,
): Promise<T | undefined> => {
  for (const item of items) if (await works(item)) return item;
  return undefined;
};
