import type { ControllerVoucher } from '../../controllers/controller.js';
import type { Log } from '../../log/log.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { System } from '../../lib/system.js';
import type { StoredSite } from '../../sites/siteTable.js';
import type { Intent } from '../intentTable.js';
import type { OrderReason } from '../orderReasons.js';
import { buildVoucherRecord, toCreatedVoucher, type CodedVoucher } from '../record.js';
import type { VoucherTables } from '../voucherTables.js';
import type { SettleRequest } from './byOrder.js';

/** An order whose outcome is unknown, and its site. */
export interface UnsettledIntent {
  readonly intent: Intent;
  readonly site: StoredSite;
}

/** Its client was told that there is no voucher. */
export const isVoid = ({ intent }: UnsettledIntent): boolean => intent.ended?.isVoid === true;

interface IntentOutcomesDeps {
  tables: VoucherTables;
  system: System;
  metrics: Metrics;
  log: Log;
}

export type IntentOutcomes = ReturnType<typeof makeIntentOutcomes>;

/** What can become of an open intent: its vouchers are recorded or revoked, or it is removed. */
export const makeIntentOutcomes = ({ tables, system, metrics, log }: IntentOutcomesDeps) => {
  /** Records vouchers for an intent, all or none. Fewer than ordered are what there is of it. */
  const adopt = async (
    { controller }: SettleRequest,
    { intent, site }: UnsettledIntent,
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
    { intent }: UnsettledIntent,
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
    open: UnsettledIntent,
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

  return { adopt, revoke, revokeAll, remove };
};
