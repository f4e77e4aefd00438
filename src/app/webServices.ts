import type { WebServices } from '../../handlers/web/handler.js';
import { makeKeyAdministration } from '../apiKeys/keyAdministration.js';
import { makeKeyClaims } from '../rateLimit/keyClaims.js';
import { makeCountersByMinutes, makeWindowCounter } from '../rateLimit/windowCounter.js';
import type { Config } from '../config/config.js';
import { emailWindowMs, makeEmails } from '../email/emails.js';
import { makeComposeAccountMail } from '../email/composeAccountMail.js';
import { makeTestMail } from '../email/mailTest.js';
import { makeMailWorker } from '../email/mailWorker.js';
import { makeSmsServices } from './smsServices.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import { readVersion } from '../lib/buildInfo.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { System } from '../lib/system.js';
import { deliveryIntervalMs } from '../webhooks/notifications.js';
import { makeWebhookAdministration } from '../webhooks/webhookAdministration.js';
import { makeLiveEvents } from '../liveEvents/liveEvents.js';
import { makeLimitFiles } from '../rateLimit/fileLimit.js';
import { makePrepareLogo } from '../printing/printedLogo.js';
import { makeMakeSlips, makePrinting } from '../printing/printing.js';
import { makeReceiptPrinters } from '../printing/receiptPrinters.js';
import { makeSendToPrinter } from '../printing/receipts/printerConnection.js';
import { makeBrowserTokens } from '../secrets/browserTokens.js';
import { makeRotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { makeControllerAdministration } from '../controllers/controllerAdministration.js';
import { makeControllerList } from '../controllers/controllerList.js';
import { makeControllerTests } from '../controllers/controllerTests.js';
import { makeFindKeptLimits, makeKeptLimitsOf } from '../controllers/siteLimits.js';
import { makeFirstSteps } from '../diagnostics/firstSteps.js';
import { makeGetOverview } from '../diagnostics/overview.js';
import { intentLimitOf } from '../diagnostics/recordChecks.js';
import { makeGetSystemStatus } from '../diagnostics/systemStatus.js';
import { makeForeignVouchers } from '../vouchers/adoption/foreignVouchers.js';
import type { SyncNow } from '../vouchers/sync/syncNow.js';
import type { Branding } from '../branding/branding.js';
import { makeReports } from '../reports/reports.js';
import { makeSites } from '../sites/sites.js';
import { makeSiteTexts } from '../sites/siteTexts.js';
import { makeOpenNetworks } from '../sites/wifi.js';
import { makeTextPreviews } from '../email/previewTexts.js';
import type { Database } from '../database/database.js';
import { migrations } from '../database/migrations/index.js';
import type { AccountServices } from './accountServices.js';
import type { Tables } from './tables.js';
import { makeGuestPages } from '../guestPages/guestPages.js';
import { makeGuestRequests } from '../guestPages/guestRequests.js';
import { challengeMs, makeProofOfWork } from '../guestPages/proofOfWork.js';
import { makeKioskDevices } from '../kiosks/kioskDevice.js';
import { deviceWindows } from '../kiosks/kioskTable.js';
import { makeKiosks } from '../kiosks/kiosks.js';
import { makeKioskVisits } from '../kiosks/kioskVisits.js';
import { makeOrderLimits } from '../orderLimits/orderLimits.js';
import { makeProfiles } from '../profiles/profiles.js';
import { makeFindAllowances } from '../vouchers/orderAllowances.js';
import { makeRevokeVoucher, makeRevokeVouchers } from '../vouchers/revocation.js';
import { makeSearchVouchers } from '../vouchers/search/search.js';
import { makeSelectValid, makeSelectVouchers, makeSelectWithSites } from '../vouchers/selection.js';
import type { KeyUsageRecords } from '../apiKeys/keyUsage.js';
import type { ControllerDeps } from '../controllers/controller.js';
import type { ControllerHealthSource } from '../controllers/health.js';
import { makePassedTests } from '../controllers/passedTests.js';
import type { ControllerRegistry } from '../controllers/registry.js';
import { makeTestProvider } from '../auth/providerTest.js';
import type { WebhookSender } from '../webhooks/sender.js';
import type { SsrfGuard } from '../ssrf/ssrfGuard.js';
import type { SiteDirectory } from '../controllers/siteDirectory.js';
import type { ChangeFeed } from '../database/changeFeed.js';
import type { DeskOrders } from '../vouchers/deskOrders.js';

/** What the services of the pages are made of. */
interface WebServicesDeps extends AccountServices {
  readonly config: Config;
  readonly database: Database;
  readonly tables: Tables;
  readonly system: System;
  readonly log: Log;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
  readonly metrics: Metrics;
  /** Where people reach the service, for links in e-mails. */
  publicUrl(): string;
  readonly changes: ChangeFeed;
  readonly sites: SiteDirectory;
  readonly deskOrders: DeskOrders;
  readonly controllerDeps: ControllerDeps;
  readonly controllerHealth: ControllerHealthSource;
  readonly registry: Pick<ControllerRegistry, 'noteAnswer' | 'get'>;
  readonly keyUsage: KeyUsageRecords;
  readonly guard: SsrfGuard;
  readonly send: WebhookSender['send'];
  /** How long the slowest answer takes. */
  readonly slowestAnswerMs: number;
  readonly isDemo: boolean;
  readonly puzzleBits: number | undefined;
  readonly syncNow: SyncNow;
  readonly branding: Branding;
}

/** What sends e-mails, or SMS. */
interface Outgoing {
  readonly job: IntervalJob;
  /** Ends what is being sent. */
  stop(): void;
}

/** Puts together what the handlers of the pages use, and what sends e-mails and SMS. */
export const makeWebServices = (
  deps: WebServicesDeps,
): { services: WebServices; mail: Outgoing; sms: Outgoing } => {
  const { config, database, tables, system, log, owner, auth, changes, sites, deskOrders } = deps;
  const { mailServer } = deps;
  const { controllerDeps, controllerHealth, keyUsage, guard, send, slowestAnswerMs, isDemo } = deps;
  const { deadlineMs, secrets } = controllerDeps;
  const { controllers: controllerTable, sites: siteTable } = tables;
  const passedTests = makePassedTests(deps.registry);
  const rotationSafeWriter = makeRotationSafeWriter(config, tables.sealed, system);
  const siteList = makeSites(tables, system, rotationSafeWriter);
  const openNetworks = makeOpenNetworks({ sites: siteTable, secrets });
  const selectVouchers = makeSelectVouchers(tables, deskOrders);
  const selectValid = makeSelectValid(makeSelectWithSites(selectVouchers, siteList), system);
  const prepareLogo = makePrepareLogo();
  const { siteLogos, ownTexts } = tables;
  const makeSlips = makeMakeSlips({
    ...{ siteLogos, openNetworks, ownTexts, prepareLogo, readBrand: deps.branding.forEmails },
  });
  const mailWorker = makeMailWorker({
    tables,
    makeSlips,
    composeAccountMail: makeComposeAccountMail({
      users: tables.users,
      tokens: auth.tokens,
      publicUrl: deps.publicUrl,
      readBrand: deps.branding.forEmails,
      clock: system,
    }),
    mail: mailServer.current,
    system,
    log,
    owner,
    metrics: deps.metrics,
  });
  const mailJob = makeIntervalJob('e-mail', mailWorker.runPass, deliveryIntervalMs, log);
  deps.accountMail.onNew(mailJob.wake);
  const firstSteps = makeFirstSteps({ tables, clock: system });
  const emails = makeEmails({
    emails: tables.emails,
    counter: makeWindowCounter(database, system, emailWindowMs),
    select: selectValid,
    clock: system,
    isSetUp: async () => (await mailServer.current()) !== undefined,
    wake: mailJob.wake,
  });
  const sms = makeSmsServices({
    ...{ database, tables, system, log, owner, guard, makeSlips, metrics: deps.metrics },
    ...{ config, secrets, select: selectValid, writeSealed: rotationSafeWriter.replace },
  });
  const printers = makeReceiptPrinters({
    printers: tables.printers,
    select: selectValid,
    makeSlips,
    send: makeSendToPrinter(),
    clock: system,
  });
  const browserTokens = makeBrowserTokens({ secrets, writeSealed: rotationSafeWriter.replace });
  const countersByMinutes = makeCountersByMinutes(database, system, deviceWindows);
  const kioskVisits = makeKioskVisits({
    tables,
    system,
    orders: deskOrders,
    openNetworks,
    countersByMinutes,
    canEmail: emails.isSetUp,
    sendEmail: async (id, email, actor) => {
      await emails.sendForGuest(id, email, actor);
    },
    offerSms: sms.outbox.offer,
    sendSms: async (id, message, actor) => {
      await sms.outbox.sendForGuest(id, message, actor);
    },
    print: (printerId, { voucherId, siteId, language }) =>
      printers.print(
        printerId,
        { voucherIds: [voucherId], language },
        { id: 0, role: 'staff', siteIds: [siteId] },
      ),
  });
  const services: WebServices = {
    auth,
    liveEvents: makeLiveEvents(changes, auth.sessions),
    keys: makeKeyAdministration(tables.apiKeys, system),
    keyUsage,
    sites: siteList,
    openNetworks,
    siteTexts: makeSiteTexts(tables, system),
    textPreviews: makeTextPreviews({
      ...{ sites: siteTable, siteLogos, ownTexts, openNetworks, prepareLogo, clock: system },
      readBrand: deps.branding.forEmails,
    }),
    profiles: makeProfiles(tables.profiles, system),
    orderLimits: makeOrderLimits(tables.orderLimits, system),
    findAllowances: makeFindAllowances(tables, system),
    findKeptLimits: makeFindKeptLimits(sites),
    orders: deskOrders,
    kiosks: { ...makeKiosks({ tables, system }), ...kioskVisits },
    kioskDevices: makeKioskDevices(browserTokens, system),
    guestPages: makeGuestPages({
      ...{ visits: kioskVisits, requests: tables.guestRequests, system },
      challenges: makeKeyClaims(database, system, 2 * challengeMs),
      proofOfWork: makeProofOfWork(browserTokens, system, deps.puzzleBits),
    }),
    guestRequests: makeGuestRequests({ tables, visits: kioskVisits, system }),
    vouchers: {
      ...makeSearchVouchers({ tables, sites: siteList, select: selectVouchers, clock: system }),
      select: selectVouchers,
      revoke: makeRevokeVouchers({
        revokeVoucher: makeRevokeVoucher({ tables, sites, clock: system, log, deadlineMs }),
        log,
        totalMs: slowestAnswerMs,
      }),
    },
    controllers: {
      ...makeControllerAdministration({
        controllers: controllerTable,
        sites: siteTable,
        clock: system,
        rotationSafeWriter,
        secrets,
        mayMoveCredentials: false,
        deadlineMs,
        passedTests,
      }),
      ...makeControllerList({
        controllers: controllerTable,
        sites: siteTable,
        health: controllerHealth,
        keptLimitsOf: makeKeptLimitsOf(deps.registry),
      }),
    },
    controllerTests: makeControllerTests({
      controllers: controllerTable,
      sites: siteTable,
      deps: controllerDeps,
      passedTests,
    }),
    webhooks: makeWebhookAdministration({
      webhooks: tables.webhooks,
      deliveries: tables.deliveries,
      system,
      guard,
      send,
      rotationSafeWriter,
      secrets,
    }),
    emails,
    identityProvider: deps.identityProvider,
    testProvider: makeTestProvider(system),
    mailServer,
    accountMail: deps.accountMail,
    testMail: makeTestMail(system),
    sms: sms.outbox,
    smsProvider: sms.provider,
    testSms: sms.test,
    printing: makePrinting(selectValid, makeSlips, system),
    limitFiles: makeLimitFiles(),
    branding: deps.branding,
    syncNow: deps.syncNow,
    foreignVouchers: makeForeignVouchers({ tables, adoptions: tables.adoptions, sites, clock: system }),
    reports: makeReports({
      reports: tables.reports,
      profiles: tables.profiles,
      revisions: tables.revisions,
      sites: siteList,
      clock: system,
    }),
    firstSteps,
    printers,
    getOverview: makeGetOverview({
      tables,
      firstSteps,
      sites: siteList,
      health: controllerHealth,
      system,
      intentLimitMs: intentLimitOf(config),
    }),
    getSystemStatus: makeGetSystemStatus({
      config,
      database,
      tables,
      health: controllerHealth,
      system,
      migrations: migrations.length,
      secrets,
      ...{ mailServer, smsProvider: sms.provider, identityProvider: deps.identityProvider },
    }),
    service: { version: readVersion(), isDemo },
  };
  return { services, mail: { job: mailJob, stop: mailWorker.stop }, sms: { job: sms.job, stop: sms.stop } };
};
