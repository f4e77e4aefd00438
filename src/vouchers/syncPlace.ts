import type { Controller, ControllerVoucher, Incremental } from '../controllers/controller.js';
import type { Effects } from '../effects.js';
import type { Place } from '../sites/directory.js';
import type { Storage } from '../storage/storage.js';
import { batchSize, type VoucherState } from '../storage/vouchers.js';
import { inBatches } from './syncBatches.js';

export interface SyncPlaceOptions {
  storage: Storage;
  effects: Effects;
}

/** A place on a controller that is to be compared with its records. */
export interface Synced {
  readonly controllerId: number;
  readonly controller: Controller;
  readonly place: Place;
  /** Ends the work; what was compared until then stays. */
  readonly signal: AbortSignal;
  /** Told of every correction once it is written. */
  corrected(how: 'changed' | 'gone', vouchers: number): void;
}

export type SyncPlace = (synced: Synced) => Promise<void>;

/** How many vouchers a place has beyond those that we recorded: a range, because orders are under way. */
interface Surplus {
  readonly least: number;
  readonly most: number;
}

interface Memory {
  /** When the last pass that went well began. */
  readonly since: number;
  readonly listedAt: number;
  readonly surplus: Surplus;
}

/** A place that can be asked for changes is listed as a whole this often all the same. */
const wholeEveryMs = 10 * 60_000;

/**
 * Brings the records of a place into line with its controller.
 *
 * The whole list tells everything, what is gone included: every voucher that was recorded before the list began and is
 * not on it. Where a controller can be asked for changes, that list is read only at first, every ten minutes, and when
 * the controller's number of vouchers has changed by another number than our records: then somebody has deleted some
 * or made some elsewhere.
 */
export const makeSyncPlace = ({ storage, effects }: SyncPlaceOptions): SyncPlace => {
  const { vouchers, intents } = storage;
  // By controller: one that was made anew, with other settings perhaps, begins with the whole list.
  const memories = new WeakMap<Controller, Map<string | null, Memory>>();

  const correct = async (
    { controllerId, signal, corrected }: Synced,
    list: AsyncIterable<ControllerVoucher>,
    seen?: (id: string) => void,
  ): Promise<void> => {
    for await (const batch of inBatches(list, batchSize, signal)) {
      const listed = new Map<string, ControllerVoucher>();
      for (const voucher of batch) {
        if (voucher.id === null) continue;
        listed.set(voucher.id, voucher);
        seen?.(voucher.id);
      }
      const states = await vouchers.states(controllerId, [...listed.keys()]);
      const corrections = states.flatMap((state) => correctionOf(state, listed) ?? []);
      await vouchers.correct(corrections);
      corrected('changed', corrections.length);
    }
  };

  /** Only ids are held, and only those of vouchers that could still expire. */
  const unexpired = async ({ controllerId, place, signal }: Synced): Promise<Set<string>> => {
    const ids = new Set<string>();
    for (const siteId of idsOf(place)) {
      for (let last: string | undefined = ''; last !== undefined;) {
        signal.throwIfAborted();
        const page: string[] = await vouchers.unexpiredIds(controllerId, siteId, last, batchSize);
        for (const id of page) ids.add(id);
        last = page.length < batchSize ? undefined : page.at(-1);
      }
    }
    return ids;
  };

  const expire = async (
    { controllerId, signal, corrected }: Synced,
    gone: ReadonlySet<string>,
  ): Promise<void> => {
    const ids = [...gone];
    for (let start = 0; start < ids.length; start += batchSize) {
      signal.throwIfAborted();
      const states = await vouchers.states(controllerId, ids.slice(start, start + batchSize));
      const valid = states.filter(({ status }) => status !== 'expired');
      await vouchers.correct(valid.map((state) => ({ ...state, status: 'expired' })));
      corrected('gone', valid.length);
    }
  };

  const whole = async (synced: Synced): Promise<void> => {
    const { controller, place, signal } = synced;
    const unseen = await unexpired(synced);
    const list = controller.list(place.controllerSite, signal);
    await correct(synced, list, (id) => unseen.delete(id));
    await expire(synced, unseen);
  };

  const surplusOf = async ({ place, signal }: Synced, { count }: Incremental): Promise<Surplus> => {
    const siteIds = idsOf(place);
    const before = await vouchers.count(siteIds);
    const counted = await count(place.controllerSite, signal);
    // In this order: a voucher of ours that was counted is recorded by the end, or its intent is still there.
    const open = (await intents.all()).filter(({ siteId }) => siteIds.includes(siteId)).length;
    const after = await vouchers.count(siteIds);
    return { least: counted - after - open, most: counted - before };
  };

  return async (synced) => {
    const { controller, place, signal } = synced;
    const { incremental } = controller;
    if (!incremental) return whole(synced);
    const started = effects.now();
    const known = memories.get(controller) ?? new Map<string | null, Memory>();
    memories.set(controller, known);
    const memory = known.get(place.controllerSite);
    const surplus = await surplusOf(synced, incremental);
    if (memory && isRecent(memory, started) && overlap(memory.surplus, surplus)) {
      const list = incremental.changed(place.controllerSite, memory.since, signal);
      await correct(synced, list);
      // Of two ranges that hold the same number, what they have in common holds it.
      const narrowed = {
        least: Math.max(memory.surplus.least, surplus.least),
        most: Math.min(memory.surplus.most, surplus.most),
      };
      known.set(place.controllerSite, { ...memory, since: started, surplus: narrowed });
    } else {
      await whole(synced);
      known.set(place.controllerSite, { since: started, listedAt: started, surplus });
    }
  };
};

const idsOf = ({ sites }: Place): number[] => sites.map(({ id }) => id);

/** A clock that was set back makes nothing recent. */
const isRecent = ({ listedAt }: Memory, now: number): boolean =>
  now >= listedAt && now - listedAt < wholeEveryMs;

const overlap = (a: Surplus, b: Surplus): boolean => a.least <= b.most && b.least <= a.most;

/** What has to be recorded instead, if anything. */
const correctionOf = (
  state: VoucherState,
  listed: ReadonlyMap<string, ControllerVoucher>,
): VoucherState | undefined => {
  const voucher = listed.get(state.controllerVoucherId);
  if (!voucher) return undefined;
  const { usedCount, expiresAt, expired } = voucher;
  const usedUp = state.maxUses > 0 && usedCount >= state.maxUses;
  const status = expired ? 'expired' : usedUp ? 'used' : 'valid';
  const same = usedCount === state.usedCount && status === state.status && expiresAt === state.expiresAt;
  return same ? undefined : { ...state, usedCount, status, expiresAt };
};
