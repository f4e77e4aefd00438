import type { Controller, ControllerVoucher, Incremental } from '../../controllers/controller.js';
import { readInBatches } from '../../lib/collections.js';
import type { System } from '../../lib/system.js';
import type { ControllerSite } from '../../sites/siteDirectory.js';
import type { Storage } from '../../storage/storage.js';
import { maxVouchersPerStatement, type VoucherSyncState } from '../../storage/vouchers.js';

export interface ControllerSiteSyncDeps {
  storage: Storage;
  system: System;
}

/** A place on a controller that is to be compared with its records. */
export interface SyncRequest {
  readonly controllerId: number;
  readonly controller: Controller;
  readonly controllerSite: ControllerSite;
  /** Ends the work; what was compared until then stays. */
  readonly signal: AbortSignal;
  /** Told of every correction once it is written. */
  onCorrected(how: 'changed' | 'gone', vouchers: number): void;
}

export type SyncControllerSite = (synced: SyncRequest) => Promise<void>;

/** How many vouchers a place has beyond those that we recorded: a range, because orders are under way. */
interface Surplus {
  readonly least: number;
  readonly most: number;
}

interface LastSync {
  /** When the last pass that went well began. */
  readonly since: number;
  readonly listedAt: number;
  readonly surplus: Surplus;
}

/** A place that can be asked for changes is listed as a whole this often all the same. */
const fullSyncIntervalMs = 10 * 60_000;

/**
 * Brings the records of a place into line with its controller.
 *
 * The whole list tells everything, what is gone included: every voucher that was recorded before the list began and is
 * not on it. Where a controller can be asked for changes, that list is read only at first, every ten minutes, and when
 * the controller's number of vouchers has changed by another number than our records: then somebody has deleted some
 * or made some elsewhere.
 */
export const makeSyncControllerSite = ({ storage, system }: ControllerSiteSyncDeps): SyncControllerSite => {
  const { vouchers, intents } = storage;
  // By controller: one that was made anew, with other settings perhaps, begins with the whole list.
  const memories = new WeakMap<Controller, Map<string | null, LastSync>>();

  const correct = async (
    { controllerId, signal, onCorrected }: SyncRequest,
    list: AsyncIterable<ControllerVoucher>,
    seen?: (id: string) => void,
  ): Promise<void> => {
    for await (const batch of readInBatches(list, maxVouchersPerStatement, signal)) {
      const listed = new Map<string, ControllerVoucher>();
      for (const voucher of batch) {
        if (voucher.id === null) continue;
        listed.set(voucher.id, voucher);
        seen?.(voucher.id);
      }
      const states = await vouchers.states(controllerId, [...listed.keys()]);
      const corrections = states.flatMap((state) => correctionOf(state, listed) ?? []);
      await vouchers.correct(corrections);
      onCorrected('changed', corrections.length);
    }
  };

  /** Only ids are held, and only those of vouchers that could still expire. */
  const unexpired = async ({ controllerId, controllerSite, signal }: SyncRequest): Promise<Set<string>> => {
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

  const whole = async (synced: SyncRequest): Promise<void> => {
    const { controller, controllerSite, signal } = synced;
    const unseen = await unexpired(synced);
    const list = controller.list(controllerSite.id, signal);
    await correct(synced, list, (id) => unseen.delete(id));
    await expire(synced, unseen);
  };

  const surplusOf = async (
    { controllerSite, signal }: SyncRequest,
    { count }: Incremental,
  ): Promise<Surplus> => {
    const siteIds = siteIdsOf(controllerSite);
    const before = await vouchers.count(siteIds);
    const counted = await count(controllerSite.id, signal);
    // In this order: a voucher of ours that was counted is recorded by the end, or its intent is still there.
    const open = (await intents.all()).filter(({ siteId }) => siteIds.includes(siteId)).length;
    const after = await vouchers.count(siteIds);
    return { least: counted - after - open, most: counted - before };
  };

  return async (synced) => {
    const { controller, controllerSite, signal } = synced;
    const { incremental } = controller;
    if (!incremental) return whole(synced);
    const started = system.now();
    const known = memories.get(controller) ?? new Map<string | null, LastSync>();
    memories.set(controller, known);
    const memory = known.get(controllerSite.id);
    const surplus = await surplusOf(synced, incremental);
    if (memory && isRecent(memory, started) && rangesOverlap(memory.surplus, surplus)) {
      const list = incremental.changed(controllerSite.id, memory.since, signal);
      await correct(synced, list);
      // Of two ranges that hold the same number, what they have in common holds it.
      const narrowed = {
        least: Math.max(memory.surplus.least, surplus.least),
        most: Math.min(memory.surplus.most, surplus.most),
      };
      known.set(controllerSite.id, { ...memory, since: started, surplus: narrowed });
    } else {
      await whole(synced);
      known.set(controllerSite.id, { since: started, listedAt: started, surplus });
    }
  };
};

const siteIdsOf = ({ sites }: ControllerSite): number[] => sites.map(({ id }) => id);

/** A clock that was set back makes nothing recent. */
const isRecent = ({ listedAt }: LastSync, now: number): boolean =>
  now >= listedAt && now - listedAt < fullSyncIntervalMs;

const rangesOverlap = (a: Surplus, b: Surplus): boolean => a.least <= b.most && b.least <= a.most;

/** What has to be recorded instead, if anything. */
const correctionOf = (
  state: VoucherSyncState,
  listed: ReadonlyMap<string, ControllerVoucher>,
): VoucherSyncState | undefined => {
  const voucher = listed.get(state.controllerVoucherId);
  if (!voucher) return undefined;
  const { usedCount, expiresAt, expired } = voucher;
  const usedUp = state.maxUses > 0 && usedCount >= state.maxUses;
  const status = expired ? 'expired' : usedUp ? 'used' : 'valid';
  const same = usedCount === state.usedCount && status === state.status && expiresAt === state.expiresAt;
  return same ? undefined : { ...state, usedCount, status, expiresAt };
};
