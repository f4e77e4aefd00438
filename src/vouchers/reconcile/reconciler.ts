import type { Log } from '../../log/log.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { System } from '../../lib/system.js';
import type { Intent } from '../intentTable.js';
import type { VoucherTables } from '../voucherTables.js';
import type { Secrets } from '../../secrets/encryption.js';
import { makeSettleByList, type UnsettledIntents } from './byList.js';
import { makeSettleByOrder, type Settlement, type SettleRequest } from './byOrder.js';
import { isVoid, makeIntentOutcomes, type UnsettledIntent } from './outcomes.js';

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

/**
 * Finds out what became of intents whose outcome is unknown: by their codes or their reference, where the
 * controller finds vouchers by these, and otherwise by its list.
 *
 * An intent is void when its client got the answer that no voucher was created: its voucher is revoked, not
 * recorded. A voucher whose code the controller never shows is revoked, too, because nobody can use it.
 *
 * A voucher may appear on the list late. So the grace period starts with the first list on which it is
 * missing, not with the order, and starts again with each process.
 */
export const makeControllerSiteReconciler = (
  deps: ControllerSiteReconcilerDeps,
): ControllerSiteReconciler => {
  const { tables, system, deadlineMs, graceMs } = deps;
  const outcomes = makeIntentOutcomes(deps);

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

  const findOpen = async ({
    controllerSite,
    controllerWithSites,
  }: SettleRequest): Promise<UnsettledIntents> => {
    const sitesById = new Map(controllerSite.sites.map((site) => [site.id, site]));
    const intents = await tables.intents.all();
    const open = intents.flatMap((intent) => {
      const site = sitesById.get(intent.siteId);
      return site ? [{ intent, site }] : [];
    });
    const ids = new Set(intents.map(({ id }) => id));
    for (const id of missingSince.keys()) if (!ids.has(id)) missingSince.delete(id);
    // Two names may mean the same controller site, so all orders of the controller count.
    const siteIds = new Set(
      controllerWithSites.controllerSites.flatMap(({ sites }) => sites.map(({ id }) => id)),
    );
    return { open, inFlight: intents.filter((intent) => siteIds.has(intent.siteId) && !isDue(intent)) };
  };

  const settleByList = makeSettleByList({ tables, deadlineMs, outcomes, findOpen, isMissingTooLong });
  const settleByOrder = makeSettleByOrder(deps);
  const toSettlement = (request: SettleRequest, open: UnsettledIntent): Settlement => ({
    intent: open.intent,
    isVoid: isVoid(open),
    isMissingTooLong: () => isMissingTooLong(open.intent),
    adopt: (vouchers) => outcomes.adopt(request, open, vouchers),
    revoke: (vouchers) => outcomes.revokeAll(request, open, vouchers),
    remove: () => outcomes.remove(open.intent),
  });

  return {
    isDue,
    settle: async (request) => {
      const { open } = await findOpen(request);
      if (!request.controller.find) return settleByList(request, open);
      for (const one of open) if (isDue(one.intent)) await settleByOrder(request, toSettlement(request, one));
    },
    removeExpired: async (intents) => {
      const open = new Set((await tables.intents.all()).map(({ id }) => id));
      for (const intent of intents)
        if (isOlder(intent, deadlineMs + graceMs) && open.has(intent.id))
          await outcomes.remove(intent, 'removed', { code: 'controller-removed', values: {} });
    },
  };
};
