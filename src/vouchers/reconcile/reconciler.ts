import type { ClockOffset, ControllerVoucher, TimeRange } from '../../controllers/controller.js';
import { isAlteredName, isInTimeRange, isUntouched } from '../../controllers/match.js';
import { hasSameLimits, type VoucherLimits } from '../../controllers/voucherLimits.js';
import { groupBy, readInBatches } from '../../lib/collections.js';
import type { Log } from '../../log/log.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { System } from '../../lib/system.js';
import type { ControllerSite, ControllerWithSites } from '../../controllers/siteDirectory.js';
import type { Intent } from '../intentTable.js';
import type { StoredSite } from '../../sites/siteTable.js';
import type { VoucherTables } from '../voucherTables.js';
import type { OrderReason } from '../orderReasons.js';
import type { Secrets } from '../../secrets/encryption.js';
import { makeSettleByOrder, type Settlement, type SettleRequest } from './byOrder.js';
import { buildVoucherRecord, chunk, hasCode, toCreatedVoucher, type CodedVoucher } from '../record.js';

export interface ControllerSiteReconcilerDeps {
  tables: VoucherTables;
  system: System;
  metrics: Metrics;
  log: Log;
  /** How long an order may take: a younger intent may still be in flight. */
  deadlineMs: number;
  /** Opens the codes of orders. Called each time, because the key may have been rotated. */
  secrets(): Secrets;
  /** How long a voucher must be missing from the controller's lists before its intent is removed. */
  graceMs: number;
}

export interface ControllerSiteReconciler {
  /** Can the intent's order no longer be in flight? */
  isDue(intent: Intent): boolean;
  /** Settles the due intents of one controller site. */
  settle(request: SettleRequest): Promise<void>;
  /** Removes, after the grace period, intents whose controller was removed: it cannot be asked any more. */
  removeExpired(intents: readonly Intent[]): Promise<void>;
}

interface OpenIntent {
  readonly intent: Intent;
  readonly site: StoredSite;
}

/** A request with the offset of the controller's clock. */
interface SettleContext extends SettleRequest {
  readonly offset: ClockOffset;
}

/** Open intents with the same match key, oldest first, and the vouchers on the controller that may be theirs. */
interface MatchGroup {
  readonly open: readonly OpenIntent[];
  readonly found: readonly ControllerVoucher[];
  /** Vouchers whose name the controller may have altered. */
  readonly altered: readonly ControllerVoucher[];
}

const batchSize = 500;

/** Controllers report whole seconds, and the two sides do not see the end of a request at the same moment. */
const toleranceMs = 2000;
/** How far the clock of a controller may be off that does not report its time. */
const unknownOffset: ClockOffset = { atLeast: -5 * 60_000, atMost: 5 * 60_000 };

/**
 * Finds out what became of intents whose outcome is unknown. A voucher on a controller has no field for our intent's
 * id, so name, limits and creation time decide, among the vouchers that are not recorded and were never used. Of an
 * order of many all, some or none may exist: what exists is recorded, together. Intents that match each other are
 * settled together, and only when none of them can still be in flight. Otherwise a voucher could go to the wrong intent.
 *
 * The voucher of an intent was created between the start and the end of its order. The controller's clock, which may be
 * wrong by hours, is corrected by the offset that its answers show. Vouchers created before or after that are not ours
 * and stay untouched, even if they match.
 *
 * An intent is void when its client got the answer that no voucher was created: its voucher is revoked, not recorded. A
 * voucher whose code the controller never shows is revoked, too, because nobody can use it.
 *
 * A voucher may appear on the list late. So the grace period starts with the first list on which it is missing, not
 * with the order, and starts again with each process.
 */
export const makeControllerSiteReconciler = (
  deps: ControllerSiteReconcilerDeps,
): ControllerSiteReconciler => {
  const { tables, system, metrics, log, deadlineMs, graceMs } = deps;

  /** An intent that lies in the future by more than that was written before the clock was set back. */
  const isOlder = ({ createdAt }: Intent, ms: number): boolean => Math.abs(system.now() - createdAt) > ms;
  const isDue = (intent: Intent): boolean => isOlder(intent, deadlineMs);
  /** When the voucher of an intent was first missing from a complete list, by intent id. */
  const missingSince = new Map<string, number>();
  const isMissingTooLong = ({ id }: Intent): boolean => {
    const now = system.now();
    const since = Math.min(missingSince.get(id) ?? now, now);
    missingSince.set(id, since);
    return now - since >= graceMs;
  };

  /** The open intents of a controller site by match key, and the match keys that are still in flight. */
  const findOpen = async (
    { sites }: ControllerSite,
    { controllerSites }: ControllerWithSites,
  ): Promise<{ groups: Map<string, OpenIntent[]>; inFlight: Set<string> }> => {
    const sitesById = new Map(sites.map((site) => [site.id, site]));
    const intents = await tables.intents.all();
    const open = intents.flatMap((intent) => {
      const site = sitesById.get(intent.siteId);
      return site ? [{ intent, site }] : [];
    });
    const ids = new Set(intents.map(({ id }) => id));
    for (const id of missingSince.keys()) if (!ids.has(id)) missingSince.delete(id);
    // Two names may mean the same controller site, so all orders of the controller count.
    const siteIds = new Set(
      controllerSites.flatMap((controllerSite) => controllerSite.sites.map(({ id }) => id)),
    );
    const inFlight = intents.filter((intent) => siteIds.has(intent.siteId) && !isDue(intent)).map(matchKey);
    return { groups: groupBy(open, ({ intent }) => matchKey(intent)), inFlight: new Set(inFlight) };
  };

  /** When, by the controller's clock, the voucher of an intent must have been created. */
  const creationRange = ({ createdAt, ended }: Intent, measured: ClockOffset): TimeRange => {
    const { atLeast, atMost } = ended?.clock ?? measured;
    const endedAt = ended?.at ?? createdAt + deadlineMs;
    return { from: createdAt + atLeast, to: endedAt + atMost + toleranceMs };
  };

  /** Records vouchers for an intent, all or none. Fewer than ordered are what there is of it. */
  const adopt = async (
    { controller }: SettleRequest,
    { intent, site }: OpenIntent,
    vouchers: readonly CodedVoucher[],
  ): Promise<boolean> => {
    const record = buildVoucherRecord(intent, { ...site, controller }, vouchers, system);
    const answer = JSON.stringify(toCreatedVoucher(intent, { ...site, controller }, vouchers[0]?.code ?? ''));
    const isNew = await tables.vouchers.record({ ...record, ...(intent.origin === 'api' && { answer }) });
    if (isNew) report('adopted', intent);
    return isNew;
  };

  const revoke = async (
    { controllerWithSites, controller, controllerSite, signal }: SettleRequest,
    { intent }: OpenIntent,
    voucher: ControllerVoucher,
  ): Promise<boolean> => {
    const { id } = voucher;
    if (id === null) return false;
    // A matching order may have recorded it since the list was compared with the records.
    if ((await tables.vouchers.unrecorded(controllerWithSites.id, [voucher], true)).length === 0)
      return false;
    try {
      await controller.revoke(controllerSite.id, id, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      // An account without the right to delete must not block the other intents.
      log.warn({ err: error, intent: intent.id, voucher: id }, 'voucher not revoked');
      return false;
    }
  };

  /** Revokes vouchers, which settles the intent when it works for one of them. */
  const revokeAll = async (
    context: SettleRequest,
    open: OpenIntent,
    vouchers: readonly ControllerVoucher[],
  ): Promise<boolean> => {
    let isRevoked = false;
    for (const voucher of vouchers) if (await revoke(context, open, voucher)) isRevoked = true;
    if (isRevoked) await remove(open.intent, 'revoked', { code: 'not-usable', values: {} });
    return isRevoked;
  };

  /** Ends an order of which nothing is left. */
  const remove = async (
    intent: Intent,
    outcome: 'revoked' | 'removed' = 'removed',
    reason: OrderReason = { code: 'none', values: {} },
  ): Promise<void> => {
    const { intents } = tables;
    await (intent.origin === 'api' ? intents.remove(intent.id) : intents.failOrder(intent, reason));
    report(outcome, intent);
  };

  const report = (outcome: 'adopted' | 'revoked' | 'removed', intent: Intent): void => {
    metrics.reconciled(outcome);
    log.info({ intent: intent.id, site: intent.siteId, outcome }, 'intent reconciled');
  };

  const settleByOrder = makeSettleByOrder(deps);
  const toSettlement = (request: SettleRequest, open: OpenIntent): Settlement => ({
    intent: open.intent,
    isVoid: isVoid(open),
    isMissingTooLong: () => isMissingTooLong(open.intent),
    adopt: (vouchers) => adopt(request, open, vouchers),
    revoke: (vouchers) => revokeAll(request, open, vouchers),
    remove: () => remove(open.intent),
  });

  const settleGroup = async (context: SettleContext, { open, found, altered }: MatchGroup): Promise<void> => {
    let left = [...found].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
    // Intents that still need vouchers come before void ones, whose voucher is only revoked.
    const ordered = [...open.filter((intent) => !isVoid(intent)), ...open.filter(isVoid)];
    for (const [index, current] of ordered.entries()) {
      context.signal.throwIfAborted();
      const isCandidate = ({ createdAt }: ControllerVoucher): boolean =>
        isInTimeRange(createdAt, creationRange(current.intent, context.offset));
      const candidates = left.filter(isCandidate);
      // With more candidates than were ordered, one of them is not ours, and it is unknown which: nothing is revoked.
      const isAmbiguous = candidates.length > countOrdered(ordered.slice(index));
      const settled = isVoid(current)
        ? await findFirst(isAmbiguous ? [] : chunk(candidates, 1), (one) => revokeAll(context, current, one))
        : await findFirst(chunk(candidates.filter(hasCode), current.intent.count), (all) =>
            adopt(context, current, all),
          );
      const taken =
        settled ??
        (isMissingTooLong(current.intent)
          ? await settleUncertain(context, current, candidates, altered.filter(isCandidate))
          : []);
      left = left.filter((voucher) => !taken.includes(voucher));
    }
  };

  /**
   * Settles an intent whose vouchers did not all appear: what there is of an order of many is recorded. Otherwise less
   * certain candidates, without a code or with an altered name, are tried before the intent is removed.
   */
  const settleUncertain = async (
    context: SettleContext,
    open: OpenIntent,
    candidates: readonly ControllerVoucher[],
    altered: readonly ControllerVoucher[],
  ): Promise<readonly ControllerVoucher[]> => {
    const { count } = open.intent;
    const codeless = candidates.filter((voucher) => !hasCode(voucher));
    const some = count > 1 ? candidates.filter(hasCode) : [];
    if (some.length > 0) {
      // Nobody can use those without a code.
      if (candidates.length <= count) for (const voucher of codeless) await revoke(context, open, voucher);
      // If one was recorded for another order meanwhile, the next list shows what is left.
      return (await adopt(context, open, some)) ? some : [];
    }
    const likely = codeless.length > 0 ? codeless : altered;
    const coded = isVoid(open) ? [] : likely.filter(hasCode);
    const isSettled =
      likely.length > 0 &&
      likely.length <= count &&
      (coded.length > 0 ? await adopt(context, open, coded) : await revokeAll(context, open, likely));
    if (!isSettled) await remove(open.intent);
    return [];
  };

  return {
    isDue,
    settle: async (request) => {
      const { controllerWithSites, controller, controllerSite, signal } = request;
      const { groups: wanted } = await findOpen(controllerSite, controllerWithSites);
      if (controller.find) {
        for (const open of [...wanted.values()].flat())
          if (isDue(open.intent)) await settleByOrder(request, toSettlement(request, open));
        return;
      }
      const intents = [...wanted.values()].flat().map(({ intent }) => intent);
      const offset = (await controller.clock.measure(signal)) ?? unknownOffset;
      const ranges = intents.map((intent) => creationRange(intent, offset));
      const listed: ControllerVoucher[] = [];
      const list = controller.createdIn(controllerSite.id, ranges, signal);
      for await (const batch of readInBatches(list, batchSize, signal))
        listed.push(
          ...batch.filter(
            (voucher) =>
              isUntouched(voucher) && (wanted.has(matchKey(voucher)) || mayBeAlteredFrom(voucher, intents)),
          ),
        );
      // After the list: the order of each listed voucher is now either an open intent or recorded.
      const { groups: open, inFlight } = await findOpen(controllerSite, controllerWithSites);
      const { unrecorded } = tables.vouchers;
      const found = groupBy(await unrecorded(controllerWithSites.id, listed), matchKey);
      const unclaimed = listed.filter(
        (voucher) => !open.has(matchKey(voucher)) && !inFlight.has(matchKey(voucher)),
      );
      const altered = await unrecorded(controllerWithSites.id, unclaimed, true);
      for (const [key, group] of open) {
        // Intents that were written after the list began were not looked for on it.
        if (!wanted.has(key) || inFlight.has(key)) continue;
        const groupIntents = group.map(({ intent }) => intent);
        await settleGroup(
          { ...request, offset },
          {
            open: group,
            found: found.get(key) ?? [],
            altered: altered.filter((voucher) => mayBeAlteredFrom(voucher, groupIntents)),
          },
        );
      }
    },
    removeExpired: async (intents) => {
      const open = new Set((await tables.intents.all()).map(({ id }) => id));
      for (const intent of intents)
        if (isOlder(intent, deadlineMs + graceMs) && open.has(intent.id))
          await remove(intent, 'removed', { code: 'controller-removed', values: {} });
    },
  };
};

/** Equal for an intent and its voucher on the controller: name and limits. */
const matchKey = ({
  name,
  maxUses,
  expireMinutes,
  down,
  up,
  quotaMb,
}: VoucherLimits & { readonly name: string }): string =>
  JSON.stringify([name, maxUses, expireMinutes, down, up, quotaMb]);

/** May the controller have altered the name of one of these intents to the voucher's name? */
const mayBeAlteredFrom = (voucher: ControllerVoucher, intents: readonly Intent[]): boolean =>
  intents.some((intent) => hasSameLimits(voucher, intent) && isAlteredName(voucher.name, intent.name));

const countOrdered = (open: readonly OpenIntent[]): number =>
  open.reduce((sum, { intent }) => sum + intent.count, 0);

const isVoid = ({ intent }: OpenIntent): boolean => intent.ended?.isVoid === true;

/** The first item for which the attempt succeeds; later ones are not tried. */
const findFirst = async <T>(
  items: readonly T[],
  attempt: (item: T) => Promise<boolean>,
): Promise<T | undefined> => {
  for (const item of items) if (await attempt(item)) return item;
  return undefined;
};
