import type { ClockOffset, ControllerVoucher, TimeRange } from '../../controllers/controller.js';
import { isAlteredName, isInTimeRange, isUntouched } from '../../controllers/match.js';
import { hasSameLimits, type VoucherLimits } from '../../controllers/voucherLimits.js';
import { groupBy, readInBatches } from '../../lib/collections.js';
import type { Intent } from '../intentTable.js';
import { chunk, hasCode } from '../record.js';
import type { VoucherTables } from '../voucherTables.js';
import type { SettleRequest } from './byOrder.js';
import { isVoid, type IntentOutcomes, type UnsettledIntent } from './outcomes.js';

/** The open intents of a controller site. */
export interface UnsettledIntents {
  readonly open: readonly UnsettledIntent[];
  /** Intents of the controller that may still be in flight. */
  readonly inFlight: readonly Intent[];
}

interface SettleByListDeps {
  readonly tables: Pick<VoucherTables, 'vouchers'>;
  readonly deadlineMs: number;
  readonly outcomes: IntentOutcomes;
  findOpen(request: SettleRequest): Promise<UnsettledIntents>;
  isMissingTooLong(intent: Intent): boolean;
}

/** A request with the offset of the controller's clock. */
interface SettleContext extends SettleRequest {
  readonly offset: ClockOffset;
}

/**
 * Open intents with the same match key, oldest first, and the vouchers on the controller that may be theirs.
 */
interface MatchGroup {
  readonly open: readonly UnsettledIntent[];
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
 * Settles the intents of a controller whose vouchers have no field for our intent's id, so name, limits and
 * creation time decide, among the vouchers that are not recorded and were never used. Of an order of many
 * all, some or none may exist: what exists is recorded, together. Intents that match each other are settled
 * together, and only when none of them can still be in flight. Otherwise a voucher could go to the wrong
 * intent.
 *
 * The voucher of an intent was created between the start and the end of its order. The controller's clock,
 * which may be wrong by hours, is corrected by the offset that its answers show. Vouchers created before or
 * after that are not ours and stay untouched, even if they match.
 */
export const makeSettleByList = (deps: SettleByListDeps) => {
  const { deadlineMs, findOpen, isMissingTooLong } = deps;
  const { adopt, revoke, revokeAll, remove } = deps.outcomes;
  const { unrecorded } = deps.tables.vouchers;

  /** When, by the controller's clock, the voucher of an intent must have been created. */
  const creationRange = ({ createdAt, ended }: Intent, measured: ClockOffset): TimeRange => {
    const { atLeast, atMost } = ended?.clock ?? measured;
    const endedAt = ended?.at ?? createdAt + deadlineMs;
    return { from: createdAt + atLeast, to: endedAt + atMost + toleranceMs };
  };

  const settleGroup = async (context: SettleContext, { open, found, altered }: MatchGroup): Promise<void> => {
    let left = [...found].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
    // Intents that still need vouchers come before void ones, whose voucher is only revoked.
    const ordered = [...open.filter((intent) => !isVoid(intent)), ...open.filter(isVoid)];
    for (const [index, current] of ordered.entries()) {
      context.signal.throwIfAborted();
      const isCandidate = ({ createdAt }: ControllerVoucher): boolean =>
        isInTimeRange(createdAt, creationRange(current.intent, context.offset));
      const candidates = left.filter(isCandidate);
      // With more candidates than were ordered, one of them is not ours, and it is unknown which: nothing is
      // revoked.
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
   * Settles an intent whose vouchers did not all appear: what there is of an order of many is recorded.
   * Otherwise less certain candidates, without a code or with an altered name, are tried before the intent is
   * removed.
   */
  const settleUncertain = async (
    context: SettleContext,
    open: UnsettledIntent,
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

  return async (request: SettleRequest, before: readonly UnsettledIntent[]): Promise<void> => {
    const { controllerWithSites, controller, controllerSite, signal } = request;
    const wanted = before.map(({ intent }) => intent);
    const wantedKeys = new Set(wanted.map(matchKey));
    const offset = (await controller.clock.measure(signal)) ?? unknownOffset;
    const ranges = wanted.map((intent) => creationRange(intent, offset));
    const listed: ControllerVoucher[] = [];
    const list = controller.createdIn(controllerSite.id, ranges, signal);
    for await (const batch of readInBatches(list, batchSize, signal))
      listed.push(
        ...batch.filter(
          (voucher) =>
            isUntouched(voucher) && (wantedKeys.has(matchKey(voucher)) || mayBeAlteredFrom(voucher, wanted)),
        ),
      );
    // After the list: the order of each listed voucher is now either an open intent or recorded.
    const { open, inFlight } = await findOpen(request);
    const groups = groupBy(open, ({ intent }) => matchKey(intent));
    const inFlightKeys = new Set(inFlight.map(matchKey));
    const found = groupBy(await unrecorded(controllerWithSites.id, listed), matchKey);
    const unclaimed = listed.filter(
      (voucher) => !groups.has(matchKey(voucher)) && !inFlightKeys.has(matchKey(voucher)),
    );
    const altered = await unrecorded(controllerWithSites.id, unclaimed, true);
    for (const [key, group] of groups) {
      // Intents that were written after the list began were not looked for on it.
      if (!wantedKeys.has(key) || inFlightKeys.has(key)) continue;
      const intents = group.map(({ intent }) => intent);
      await settleGroup(
        { ...request, offset },
        {
          open: group,
          found: found.get(key) ?? [],
          altered: altered.filter((voucher) => mayBeAlteredFrom(voucher, intents)),
        },
      );
    }
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

const countOrdered = (open: readonly UnsettledIntent[]): number =>
  open.reduce((sum, { intent }) => sum + intent.count, 0);

/** The first item for which the attempt succeeds; later ones are not tried. */
const findFirst = async <T>(
  items: readonly T[],
  attempt: (item: T) => Promise<boolean>,
): Promise<T | undefined> => {
  for (const item of items) if (await attempt(item)) return item;
  return undefined;
};
