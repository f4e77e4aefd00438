import type { ControllerDeps } from '../controllers/controller.js';
import { makeControllerHealth, type ControllerHealthSource } from '../controllers/health.js';
import { orderOfPart } from '../controllers/orderParts.js';
import { makeControllerRegistry, type ControllerRegistry } from '../controllers/registry.js';
import { makeSiteDirectory, type SiteDirectory } from '../controllers/siteDirectory.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import type { SsrfGuard } from '../ssrf/ssrfGuard.js';
import { makeDeskOrders, type DeskOrders } from '../vouchers/deskOrders.js';
import { makeCreateVouchers } from '../vouchers/createVouchers.js';
import { makeOrderVoucher, type OrderVoucher } from '../vouchers/order.js';
import { makeReconcileJob, type ReconcileJob } from '../vouchers/reconcile/reconcileJob.js';
import { makeVoucherSync, syncTickMs, type VoucherSync } from '../vouchers/sync/voucherSync.js';
import { outboxIntervalMs } from '../outbox/outboxWorker.js';
import { makeNotifications } from '../webhooks/notifications.js';
import type { WebhookSender } from '../webhooks/sender.js';
import type { Foundation } from './foundation.js';

/**
 * What creates vouchers and keeps them up to date: controllers, orders, reconciler, sync and notifications.
 */
export interface VoucherServices {
  readonly controllerDeps: ControllerDeps;
  readonly controllers: ControllerRegistry;
  readonly controllerHealth: ControllerHealthSource;
  readonly sites: SiteDirectory;
  readonly order: OrderVoucher;
  readonly deskOrders: DeskOrders;
  readonly guard: SsrfGuard;
  readonly send: WebhookSender['send'];
  readonly reconciling: ReconcileJob;
  readonly syncing: VoucherSync;
  readonly voucherJobs: readonly IntervalJob[];
}

export const makeVoucherServices = (base: Foundation): VoucherServices & { close(): Promise<void> } => {
  const { config, log, metrics, tables, system } = base;
  const { controllerDeadlineMs: deadlineMs, syncIntervalMs: intervalMs, dataDir } = config;
  const controllerDeps = {
    ...base,
    dataDir,
    deadlineMs,
    unrecorded: tables.vouchers.unrecorded,
    isOrderOpen: async (reference: string) => tables.intents.isOpen(orderOfPart(reference)),
  };
  const controllers = makeControllerRegistry(controllerDeps, metrics.controllerCall);
  const sites = makeSiteDirectory(tables, controllers);
  const { guard, send, delivering, close: closeDelivering } = makeNotifications(base);
  const deliveryJob = makeIntervalJob('delivery', delivering.runPass, outboxIntervalMs, log);
  const createVouchers = makeCreateVouchers({
    tables,
    system,
    metrics,
    log,
    announced: deliveryJob.wake,
    writeSealed: base.rotationSafeWriter.replace,
    deadlineMs,
  });
  const graceMs = config.reconcileGraceMs;
  const reconciling = makeReconcileJob({ ...base, sites, deadlineMs, graceMs });
  const syncing = makeVoucherSync({ ...base, sites, intervalMs });
  const voucherJobs = [
    makeIntervalJob('reconciliation', reconciling.begin, config.reconcileIntervalMs, log),
    deliveryJob,
  ];
  if (intervalMs > 0) voucherJobs.push(makeIntervalJob('sync', syncing.tick, syncTickMs(intervalMs), log));
  return {
    controllerDeps,
    controllers,
    controllerHealth: makeControllerHealth(controllers, tables.controllers.lastSyncs),
    sites,
    order: makeOrderVoucher({ tables, sites, system, deadlineMs, createVouchers }),
    deskOrders: makeDeskOrders({ tables, sites, system, log, createVouchers }),
    guard,
    send,
    reconciling,
    syncing,
    voucherJobs,
    close: async () => {
      await Promise.all([reconciling.stop(), syncing.stop()]);
      await closeDelivering();
      await controllers.close();
    },
  };
};
