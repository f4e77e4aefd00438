import type { WebServices } from '../../handlers/web/handler.js';
import { makeKeyAdministration } from '../apiKeys/keyAdministration.js';
import { makeWindowCounter } from '../rateLimit/windowCounter.js';
import { makeEmails } from '../email/emails.js';
import { makeFindSlip, messageWindowMs } from '../guestMessages/guestMessages.js';
import { makeOutboxWorker, outboxIntervalMs } from '../outbox/outboxWorker.js';
import { makeComposeAccountMail } from '../email/composeAccountMail.js';
import { makeTestMail } from '../email/mailTest.js';
import { makeEmailTask } from '../email/emailTask.js';
import { makeSmsServices } from './smsServices.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import { readVersion } from '../lib/buildInfo.js';
import { makeWebhookAdministration } from '../webhooks/webhookAdministration.js';
import { makeLiveEvents } from '../liveEvents/liveEvents.js';
import { makePrepareLogo } from '../printing/printedLogo.js';
import { makeMakeSlips, makePrinting } from '../printing/printing.js';
import { makeReceiptPrinters } from '../printing/receiptPrinters.js';
import { makeSendToPrinter } from '../printing/receipts/printerConnection.js';
import { makeFindKeptLimits, makeKeptLimitsOf } from '../controllers/siteLimits.js';
import { makeFirstSteps } from '../diagnostics/firstSteps.js';
import { makeGetOverview } from '../diagnostics/overview.js';
import { intentLimitOf } from '../diagnostics/recordChecks.js';
import { makeGetSystemStatus } from '../diagnostics/systemStatus.js';
import { makeForeignVouchers } from '../vouchers/adoption/foreignVouchers.js';
import { makeReports } from '../reports/reports.js';
import { makeSites } from '../sites/sites.js';
import { makeSiteTexts } from '../sites/siteTexts.js';
import { makeOpenNetworks } from '../sites/wifi.js';
import { makeTextPreviews } from '../email/previewTexts.js';
import { migrations } from '../database/migrations/index.js';
import type { AccountServices } from './accountServices.js';
import { makeOrderLimits } from '../orderLimits/orderLimits.js';
import { makeProfiles } from '../profiles/profiles.js';
import { makeFindAllowances } from '../vouchers/orderAllowances.js';
import { makeRevokeVoucher, makeRevokeVouchers } from '../vouchers/revocation.js';
import { makeSearchVouchers } from '../vouchers/search/search.js';
import { makeSelectValid, makeSelectVouchers, makeSelectWithSites } from '../vouchers/selection.js';
import type { KeyUsageRecords } from '../apiKeys/keyUsage.js';
import { makeTestProvider } from '../auth/providerTest.js';
import type { ChangeFeed } from '../database/changeFeed.js';
import { makeBranding } from '../branding/branding.js';
import type { Foundation } from './foundation.js';
import { makeGuestServices } from './guestServices.js';
import { slowestAnswerMs } from './operationOptions.js';
import type { VoucherServices } from './voucherServices.js';
import { makeControllerAdministration } from '../controllers/controllerAdministration.js';
import { makeControllerList } from '../controllers/controllerList.js';
import { makeControllerTests } from '../controllers/controllerTests.js';
import { makePassedTests } from '../controllers/passedTests.js';

/** What the services of the web UI are made of. */
interface WebServicesDeps extends Foundation, VoucherServices, AccountServices {
  /** Where people reach the service, for links in e-mails. */
  publicUrl(): string;
  readonly changes: ChangeFeed;
  readonly keyUsage: KeyUsageRecords;
  readonly isDemo: boolean;
  readonly puzzleBits: number | undefined;
}

/** Puts together what the handlers of the web UI use, and what sends e-mails and SMS. */
export const makeWebServices = (
  deps: WebServicesDeps,
): { services: WebServices; jobs: readonly IntervalJob[]; stop(): Promise<void> } => {
  const { config, database, tables, system, log, auth, accountMail, mailServer, identityProvider } = deps;
  const { sites, deskOrders, controllerHealth, secrets, rotationSafeWriter } = deps;
  const { sites: siteTable, siteLogos, ownTexts } = tables;
  const branding = makeBranding({ table: tables.brand, revisions: tables.revisions, clock: system });
  const siteList = makeSites(tables, system, rotationSafeWriter);
  const openNetworks = makeOpenNetworks({ sites: siteTable, secrets });
  const selectVouchers = makeSelectVouchers(tables, deskOrders);
  const select = makeSelectValid(makeSelectWithSites(selectVouchers, siteList), system);
  const printed = {
    siteLogos,
    openNetworks,
    ownTexts,
    prepareLogo: makePrepareLogo(),
    readBrand: branding.forEmails,
  };
  const makeSlips = makeMakeSlips(printed);
  const findSlip = makeFindSlip({ tables, makeSlips, clock: system });
  const mailTask = makeEmailTask({
    ...deps,
    findSlip,
    composeAccountMail: makeComposeAccountMail({
      users: tables.users,
      tokens: auth.tokens,
      publicUrl: deps.publicUrl,
      readBrand: branding.forEmails,
      clock: system,
    }),
    mail: mailServer.current,
  });
  const mailWorker = makeOutboxWorker(mailTask, deps);
  const mailJob = makeIntervalJob('e-mail', mailWorker.runPass, outboxIntervalMs, log);
  accountMail.onNew(mailJob.wake);
  const firstSteps = makeFirstSteps({ tables, clock: system });
  const canEmail = async () => (await mailServer.current()) !== undefined;
  const emails = makeEmails(canEmail, {
    table: tables.guestMessages,
    counter: makeWindowCounter(database, system, messageWindowMs),
    select,
    clock: system,
    wake: mailJob.wake,
  });
  const sms = makeSmsServices({ ...deps, findSlip, select });
  const printers = makeReceiptPrinters({
    printers: tables.printers,
    select,
    makeSlips,
    send: makeSendToPrinter(),
    clock: system,
  });
  const services: WebServices = {
    auth,
    liveEvents: makeLiveEvents(deps.changes, auth.sessions),
    keys: makeKeyAdministration(tables.apiKeys, system),
    keyUsage: deps.keyUsage,
    sites: siteList,
    openNetworks,
    siteTexts: makeSiteTexts(tables, system),
    textPreviews: makeTextPreviews({ ...printed, sites: siteTable, clock: system }),
    profiles: makeProfiles(tables.profiles, system),
    orderLimits: makeOrderLimits(tables.orderLimits, system),
    findAllowances: makeFindAllowances(tables, system),
    findKeptLimits: makeFindKeptLimits(sites),
    orders: deskOrders,
    ...makeGuestServices({ ...deps, openNetworks, emails, sms: sms.messages, printers }),
    vouchers: {
      ...makeSearchVouchers({ tables, sites: siteList, select: selectVouchers, clock: system }),
      select: selectVouchers,
      revoke: makeRevokeVouchers({
        revokeVoucher: makeRevokeVoucher({
          tables,
          sites,
          clock: system,
          log,
          deadlineMs: config.controllerDeadlineMs,
        }),
        log,
        totalMs: slowestAnswerMs(config),
      }),
    },
    ...makeControllerServices(deps),
    webhooks: makeWebhookAdministration({
      ...deps,
      webhooks: tables.webhooks,
      deliveries: tables.deliveries,
    }),
    emails,
    identityProvider,
    testProvider: makeTestProvider(system),
    mailServer,
    accountMail,
    testMail: makeTestMail(system),
    sms: sms.messages,
    smsProvider: sms.provider,
    testSms: sms.test,
    printing: makePrinting(select, makeSlips, system),
    branding,
    syncNow: deps.syncing.syncNow,
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
      ...deps,
      health: controllerHealth,
      migrations: migrations.length,
      smsProvider: sms.provider,
    }),
    service: { version: readVersion(), isDemo: deps.isDemo },
  };
  return {
    services,
    jobs: [mailJob, sms.job],
    stop: async () => {
      await Promise.all([mailWorker.stop(), sms.stop()]);
    },
  };
};

/** Puts together the administration of controllers. */
const makeControllerServices = (
  deps: Foundation & VoucherServices,
): Pick<WebServices, 'controllers' | 'controllerTests'> => {
  const { tables, system, secrets, rotationSafeWriter, controllerDeps, controllers: registry } = deps;
  const stored = { controllers: tables.controllers, sites: tables.sites };
  const passedTests = makePassedTests(registry);
  return {
    controllers: {
      ...makeControllerAdministration({
        ...stored,
        clock: system,
        rotationSafeWriter,
        secrets,
        mayMoveCredentials: false,
        deadlineMs: controllerDeps.deadlineMs,
        passedTests,
      }),
      ...makeControllerList({
        ...stored,
        health: deps.controllerHealth,
        keptLimitsOf: makeKeptLimitsOf(registry),
      }),
    },
    controllerTests: makeControllerTests({ ...stored, deps: controllerDeps, passedTests }),
  };
};
