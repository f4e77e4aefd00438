import type { Controller, ControllerVoucher, Incremental } from '../../controllers/controller.js';
import { readInBatches } from '../../lib/collections.js';
import type { System } from '../../lib/system.js';
import type { ControllerSite } from '../../controllers/siteDirectory.js';
import type { VoucherTables } from '../voucherTables.js';
import { maxVouchersPerStatement, type VoucherSyncState } from '../voucherTable.js';

export interface ControllerSiteSyncDeps {
  tables: VoucherTables;
  system: System;
}

/** A controller site whose vouchers are to be compared with their records. */
export interface SyncRequest {
  readonly controllerId: number;
  readonly controller: Controller;
  readonly controllerSite: ControllerSite;
  /** Ends the sync; corrections up to then stay. */
  readonly signal: AbortSignal;
  /** Called after corrections are written. */
  onCorrected(how: 'changed' | 'gone', vouchers: number): void;
}

/** Brings the records of one controller site into line with its controller. */
export type SyncControllerSite = (request: SyncRequest) => Promise<void>;

/** How many vouchers the controller has beyond those we recorded: a range, because of orders in flight. */
interface Surplus {
  readonly least: number;
  readonly most: number;
}

interface LastSync {
  /** When the last successful sync started. */
  readonly startedAt: number;
  /** When the last successful sync that read the complete list started. */
  readonly listedAt: number;
  readonly surplus: Surplus;
}

/** How often the complete list is read from a controller that can be asked for changes. */
const fullSyncIntervalMs = 10 * 60_000;

/**
 * Makes the sync of one controller site.
 *
 * The complete list also shows which vouchers are gone: those that were recorded before the list began and
 * are not on it. Where a controller can be asked for changes, the complete list is read only the first time,
 * every ten minutes, and when the number of vouchers on the controller and the number of our records have
 * changed differently: then vouchers were deleted or created elsewhere.
 */
export const makeSyncControllerSite = ({ tables, system }: ControllerSiteSyncDeps): SyncControllerSite => {
  const { vouchers, intents } = tables;
  // By live controller: after a change of its settings there is a new one, which starts with the complete
  // list.
  const lastSyncs = new WeakMap<Controller, Map<string | null, LastSync>>();

  const correct = async (
    { controllerId, signal, onCorrected }: SyncRequest,
    list: AsyncIterable<ControllerVoucher>,
    onSeen?: (id: string) => void,
  ): Promise<void> => {
    for await (const batch of readInBatches(list, maxVouchersPerStatement, signal)) {
      const listed = new Map<string, ControllerVoucher>();
      for (const voucher of batch) {
        if (voucher.id === null) continue;
        listed.set(voucher.id, voucher);
        onSeen?.(voucher.id);
      }
      const states = await vouchers.states(controllerId, [...listed.keys()]);
      const corrections = states.flatMap((state) => correctionOf(state, listed) ?? []);
      await vouchers.correct(corrections);
      onCorrected('changed', corrections.length);
    }
  };

  /** Only the ids, to keep little in memory. */
  const findUnexpired = async ({
    controllerId,
    controllerSite,
    signal,
  }: SyncRequest): Promise<Set<string>> => {
    const ids = new Set<string>();
    for (const siteId of siteIdsOf(controllerSite)) {
      for (let last: string | undefined = ''; last !== undefined;) {
        signal.throwIfAborted();
        const page: string[] = await vouchers.unexpiredIds(
          controllerId,
          siteId,
          last,
          maxVouchersPerStatement,
        );
        for (const id of page) ids.add(id);
        last = page.length < maxVouchersPerStatement ? undefined : page.at(-1);
      }
    }
    return ids;
  };

  const expire = async (
    { controllerId, signal, onCorrected }: SyncRequest,
    gone: ReadonlySet<string>,
  ): Promise<void> => {
    const ids = [...gone];
    for (let start = 0; start < ids.length; start += maxVouchersPerStatement) {
      signal.throwIfAborted();
      const states = await vouchers.states(controllerId, ids.slice(start, start + maxVouchersPerStatement));
      const valid = states.filter(({ status }) => status !== 'expired');
      await vouchers.correct(valid.map((state) => ({ ...state, status: 'expired' })));
      onCorrected('gone', valid.length);
    }
  };

  const syncAll = async (request: SyncRequest): Promise<void> => {
    const { controller, controllerSite, signal } = request;
    const unseen = await findUnexpired(request);
    const list = controller.list(controllerSite.id, signal);
    await correct(request, list, (id) => unseen.delete(id));
    await expire(request, unseen);
  };

  const countSurplus = async (
    { controllerSite, signal }: SyncRequest,
    { count }: Incremental,
  ): Promise<Surplus> => {
    const siteIds = siteIdsOf(controllerSite);
    const before = await vouchers.count(siteIds);
    const counted = await count(controllerSite.id, signal);
    // In this order: each counted voucher of ours either has an open intent or is recorded by the second
    // count.
    const open = (await intents.all())
      .filter(({ siteId }) => siteIds.includes(siteId))
      .reduce((sum, { count: ordered }) => sum + ordered, 0);
    const after = await vouchers.count(siteIds);
    return { least: counted - after - open, most: counted - before };
  };

  return async (request) => {
    const { controller, controllerSite, signal } = request;
    const { incremental } = controller;
    if (!incremental) return syncAll(request);
    const startedAt = system.now();
    const bySite = lastSyncs.get(controller) ?? new Map<string | null, LastSync>();
    lastSyncs.set(controller, bySite);
    const last = bySite.get(controllerSite.id);
    const surplus = await countSurplus(request, incremental);
    if (last && isRecent(last, startedAt) && rangesOverlap(last.surplus, surplus)) {
      const list = incremental.changed(controllerSite.id, last.startedAt, signal);
      await correct(request, list);
      // The surplus has not changed, so it lies in both ranges.
      const narrowed = {
        least: Math.max(last.surplus.least, surplus.least),
        most: Math.min(last.surplus.most, surplus.most),
      };
      bySite.set(controllerSite.id, { ...last, startedAt, surplus: narrowed });
    } else {
      await syncAll(request);
      bySite.set(controllerSite.id, { startedAt, listedAt: startedAt, surplus });
    }
  };
};

const siteIdsOf = ({ sites }: ControllerSite): number[] => sites.map(({ id }) => id);

/** After the clock was set back, nothing counts as recent. */
const isRecent = ({ listedAt }: LastSync, now: number): boolean =>
  now >= listedAt && now - listedAt < fullSyncIntervalMs;

const rangesOverlap = (a: Surplus, b: Surplus): boolean => a.least <= b.most && b.least <= a.most;

/** The state to record instead, or undefined when nothing changed. */
const correctionOf = (
  state: VoucherSyncState,
  listed: ReadonlyMap<string, ControllerVoucher>,
): VoucherSyncState | undefined => {
  const voucher = listed.get(state.controllerVoucherId);
  if (!voucher) return undefined;
  const { usedCount, expired } = voucher;
  // Not every controller says when an expired voucher ended; what was recorded while it was valid stays.
  const expiresAt = voucher.expiresAt ?? (expired ? state.expiresAt : null);
  const isUsedUp = state.maxUses > 0 && usedCount >= state.maxUses;
  const status = expired ? 'expired' : isUsedUp ? 'used' : 'valid';
  const isSame = usedCount === state.usedCount && status === state.status && expiresAt === state.expiresAt;
  return isSame ? undefined : { ...state, usedCount, status, expiresAt };
};
