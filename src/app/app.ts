import { X509Certificate } from 'node:crypto';
import type { Services } from '../../handlers/handler.js';
import type { WebServices } from '../../handlers/web/handler.js';
import { webHandlers } from '../../handlers/web/index.js';
import { handlers } from '../../handlers/index.js';
import { warnOfIncompleteProvider } from '../auth/identityProvider.js';
import { makeAccountServices } from './accountServices.js';
import { makeCleanUpJobs } from './cleanUpJobs.js';
import { makeObserveQuery } from './observeQuery.js';
import { makeReadinessCheck } from './readiness.js';
import { makeOperationOptions, refuseWhenUnavailable } from './operationOptions.js';
import { traceResponses } from './traceRequests.js';
import { startUpgrade } from './upgradeJobs.js';
import { makeWebServices } from './webServices.js';
import { hasScope, prefixOf, makeApiKeyCache, type ApiKey } from '../apiKeys/apiKeys.js';
import { makeKeyUsageRecords, usageFlushIntervalMs, type KeyUsageCounter } from '../apiKeys/keyUsage.js';
import { makeRateLimiter } from '../apiKeys/rateLimiter.js';
import { toListenTarget } from '../config/listenAddress.js';
import { explainListenError, makeDataDir } from '../config/config.js';
import { contractFile, loadServiceContract, webContractFile } from '../config/packagedContracts.js';
import type { Contract } from '../contract/contract.js';
import { checkDefaults } from '../contract/defaults.js';
import { checkExamples } from '../contract/examples.js';
import { makeControllerHealth } from '../controllers/health.js';
import { orderOfPart } from '../controllers/orderParts.js';
import { makeControllerRegistry } from '../controllers/registry.js';
import { makeIsFromProxy, makeResolveBasePath } from '../http/client.js';
import { makeExpressApp } from '../pages/expressApp.js';
import { makeContractEvents } from '../pages/reference.js';
import { makeObserveRequest } from '../http/response.js';
import { makeReloadableContract } from '../http/servedContract.js';
import { startHttpServer } from '../http/server.js';
import { makeHourlyCounter } from '../lib/hourlyCounter.js';
import { makeIntervalJob } from '../jobs/intervalJob.js';
import { makeMetrics, type Metrics } from '../metrics/metrics.js';
import { newId, nodeSystem, type System, makeRequestIds } from '../lib/system.js';
import { deliveryIntervalMs, makeNotifications } from '../webhooks/notifications.js';
import { makeBranding } from '../branding/branding.js';
import { makeWebAccess, type WebUser } from '../auth/webAccess.js';
import { makeRetention, retentionIntervalMs } from '../retention/retention.js';
import { makeRotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { openStoredSecrets } from '../secrets/secretKey.js';
import { makeChangeFeed } from '../database/changeFeed.js';
import { makeSiteDirectory } from '../controllers/siteDirectory.js';
import { makeReadings } from '../diagnostics/readings.js';
import { openDatabase, type Database } from '../database/database.js';
import { measureIntervalMs, openDatabaseClock } from '../database/databaseClock.js';
import { explainDatabaseError } from '../database/databaseErrors.js';
import { identifyDatabase } from '../database/databaseIdentity.js';
import { migrate } from '../database/migrator.js';
import { acquireServiceLock, type ReleaseServiceLock } from '../database/serviceLock.js';
import { makeRevisions, rememberRevisions } from '../database/revisions.js';
import type { App, StartAppOptions } from './runningApp.js';
import { makeTables } from './tables.js';
import { makeListVouchers } from '../vouchers/list.js';
import { makeCreateVouchers, makeOrderVoucher } from '../vouchers/order.js';
import { makeDeskOrders } from '../vouchers/deskOrders.js';
import { makeReconcileJob } from '../vouchers/reconcile/reconcileJob.js';
import { makeVoucherSync, syncTickMs } from '../vouchers/sync/voucherSync.js';

/** Opens the database and starts the service on it. */
export const startApp = async (options: StartAppOptions): Promise<App> => {
  const { config } = options;
  makeDataDir(config);
  // In development the next build starts beside the last one, and takes over from it.
  const lock = options.development ? noLock : acquireServiceLock;
  const unlock = await lock(config.databaseUrl).catch((error: unknown) => {
    throw explainDatabaseError(error, config);
  });
  const metrics = makeMetrics(options);
  const database = openDatabase(config.databaseUrl, {
    poolMax: config.databasePoolMax,
    timeoutMs: config.databaseTimeoutMs,
    observe: makeObserveQuery(metrics, options.tracer),
  });
  try {
    return await compose(options, database, metrics, unlock);
  } catch (error) {
    await database.close();
    await unlock();
    metrics.stop();
    await options.tracer?.shutdown();
    throw explainDatabaseError(error, config);
  }
};

const noLock = (): Promise<ReleaseServiceLock> => Promise.resolve(() => Promise.resolve());

/** How long a client is assumed to wait at least, and how long an order may wait for its turn. */
const minRequestDeadlineMs = 10_000;

/** Puts the parts together and starts them. */
const compose = async (
  options: StartAppOptions,
  database: Database,
  metrics: Metrics,
  unlock: ReleaseServiceLock,
): Promise<App> => {
  const { config, log, system: given = nodeSystem, development = false } = options;
  const { contract: source = contractFile, tracer, isDemo = false } = options;
  const load = (given: string | Contract): Contract => {
    const loaded = typeof given === 'string' ? loadServiceContract(given) : given;
    if (development) checkExamples(loaded);
    else checkDefaults(loaded);
    return loaded;
  };
  const contract = load(source);
  const migrated = await migrate(database, {
    onBegin: (name) =>
      log.info({ migration: name }, 'migrating the database: with many records this takes a while'),
    onBlocked: (name) =>
      log.warn(
        { migration: name },
        'waiting for a lock: another session, for instance a backup, uses the table',
      ),
  });
  if (migrated.length > 0) log.info({ migrations: migrated }, 'database migrated');
  // Processes that share a database write and compare times by its clock.
  const clock = await openDatabaseClock(database, given);
  const system: System = { ...given, now: clock.now };
  // With SQLite this process is the only service on the file.
  const remembered =
    database.dialect === 'sqlite' ? rememberRevisions(database, makeRevisions(database)) : undefined;
  const tables = makeTables(database, system, remembered);
  const upgradeJobs = await startUpgrade({ config, database, tables, system, log });
  await options.prepare?.(tables);
  const owner = newId(system);

  const secrets = () => openStoredSecrets(config, system);
  const controllerDeps = {
    dataDir: config.dataDir,
    system,
    log,
    deadlineMs: config.controllerDeadlineMs,
    unrecorded: tables.vouchers.unrecorded,
    isOrderOpen: async (reference: string) => tables.intents.isOpen(orderOfPart(reference)),
    secrets,
    tracer,
  };
  const controllers = makeControllerRegistry(controllerDeps, metrics.controllerCall);
  const controllerHealth = makeControllerHealth(controllers, tables.controllers.lastSyncs);
  const sites = makeSiteDirectory(tables, controllers);
  const deadlineMs = config.controllerDeadlineMs;
  // An order waits in the queue, and then for its controller.
  const slowestAnswerMs = Math.max(minRequestDeadlineMs, deadlineMs) + deadlineMs;
  const {
    guard,
    send,
    delivering,
    close: closeDelivering,
  } = makeNotifications({
    config,
    tables,
    system,
    metrics,
    log,
    owner,
    tracer,
  });
  const deliveryJob = makeIntervalJob('delivery', delivering.runPass, deliveryIntervalMs, log);
  const createVouchers = makeCreateVouchers({
    tables,
    system,
    metrics,
    log,
    announced: deliveryJob.wake,
    writeSealed: makeRotationSafeWriter(config, tables.sealed, system).replace,
    deadlineMs,
  });
  const order = makeOrderVoucher({ tables, sites, system, deadlineMs, createVouchers });
  const deskOrders = makeDeskOrders({ tables, sites, system, log, createVouchers });
  const services: Services = { sites, vouchers: { order, list: makeListVouchers(tables, system) } };
  const reconciling = makeReconcileJob({
    tables,
    sites,
    system,
    metrics,
    log,
    owner,
    secrets,
    deadlineMs,
    graceMs: config.reconcileGraceMs,
  });
  const { syncIntervalMs: intervalMs } = config;
  const syncing = makeVoucherSync({ tables, sites, system, metrics, log, owner, intervalMs });

  const keyCache = makeApiKeyCache({ table: tables.apiKeys, revisions: tables.revisions, system, log });
  await keyCache.load();
  const usageCounter: KeyUsageCounter = makeHourlyCounter(system);
  const keyUsage = makeKeyUsageRecords(tables.keyUsage, usageCounter, system);
  const limiter = makeRateLimiter(database, system, usageCounter);
  const observe = traceResponses(tracer, makeObserveRequest(log, metrics));
  const accounts = makeAccountServices({
    config,
    database,
    tables,
    system,
    log,
    secrets,
    passwordCost: options.passwordCost,
  });
  await warnOfIncompleteProvider(accounts.identityProvider, log);
  const { auth } = accounts;
  // Known once it listens; nothing is sent before.
  let listensAt = '';
  const branding = makeBranding({ table: tables.brand, revisions: tables.revisions, clock: system });
  const changes = makeChangeFeed(database, log);
  const {
    services: webServices,
    mail,
    sms,
  } = makeWebServices({
    config,
    database,
    tables,
    system,
    log,
    owner,
    metrics,
    ...accounts,
    publicUrl: () => config.publicUrl ?? listensAt,
    changes,
    sites,
    deskOrders,
    controllerDeps,
    controllerHealth,
    registry: controllers,
    keyUsage,
    guard,
    send,
    slowestAnswerMs,
    isDemo,
    puzzleBits: options.puzzleBits,
    syncNow: syncing.syncNow,
    branding,
  });
  const operationOptions = makeOperationOptions({
    config,
    database,
    log,
    metrics,
    observe,
    tracer,
    requestDeadlineMs: Math.max(minRequestDeadlineMs, deadlineMs),
  });
  const contracts = await makeReloadableContract<ApiKey, Services>(contract, {
    ...operationOptions,
    basePath: '',
    access: refuseWhenUnavailable<ApiKey>({
      authenticate: keyCache.find,
      count: limiter.count,
      permits: hasScope,
      refused: ({ id }) => usageCounter.count(id, 'refusals'),
    }),
    handlers,
    services,
    mocks: development ? 'missing' : undefined,
    prefixOf,
    failed: ({ id }) => usageCounter.count(id, 'failures'),
  });
  const webDocument = options.webContract ?? loadServiceContract(webContractFile);
  checkDefaults(webDocument);
  const webContract = await makeReloadableContract<WebUser, WebServices>(webDocument, {
    ...operationOptions,
    basePath: '/web',
    noStore: true,
    access: refuseWhenUnavailable(
      makeWebAccess({ sessions: auth.sessions, settings: tables.settings, revisions: tables.revisions }),
    ),
    handlers: webHandlers,
    services: webServices,
    mocks: development ? 'missing' : undefined,
    prefixOf: ({ user }) => `user ${String(user.id)}`,
  });
  const contractEvents = development ? makeContractEvents(newId(system)) : undefined;

  const server = await startHttpServer({
    target: toListenTarget(config),
    tls: config.tls,
    basePath: config.basePath,
    contracts: [contracts, webContract],
    isFromProxy: makeIsFromProxy(config),
    pages: makeExpressApp({
      resolveBasePath: makeResolveBasePath(config),
      errors: () => contracts.current.errors,
      limitUnknownPath: (...exchange) => contracts.current.limitUnknownPath(...exchange),
      metrics,
      metricsToken: config.metricsToken,
      log,
      contractEvents: contractEvents?.handle,
      followsBuilds: development,
      checkReady: makeReadinessCheck(database, tables, system),
      databaseIdentity: await identifyDatabase(database),
      system,
      isDemo,
      readBrand: branding.get,
    }),
    observe,
    log,
    metrics,
    newRequestId: makeRequestIds(system),
    maxConnections: config.maxConnections,
    backlog: config.listenBacklog,
    keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    slowestAnswerMs,
  }).catch((error: unknown) => {
    throw explainListenError(error as NodeJS.ErrnoException, config);
  });
  listensAt = server.url;

  const reconcileJob = makeIntervalJob('reconciliation', reconciling.begin, config.reconcileIntervalMs, log);
  const syncJob = makeIntervalJob('sync', syncing.tick, syncTickMs(intervalMs), log);
  keyCache.watch();
  const keyUsageJob = makeIntervalJob('writing of key usage', keyUsage.flush, usageFlushIntervalMs, log);
  const clockJob = makeIntervalJob('database clock', clock.measure, measureIntervalMs, log);
  const cleanUpJobs = makeCleanUpJobs({ database, tables, system, log });
  const retention = makeRetention({ config, tables, system, log, owner, observer: metrics.retention });
  const retentionJob = makeIntervalJob('retention', retention.run, retentionIntervalMs, log);
  const jobs = [
    reconcileJob,
    deliveryJob,
    keyUsageJob,
    clockJob,
    ...upgradeJobs,
    ...cleanUpJobs,
    retentionJob,
  ];
  if (intervalMs > 0) jobs.push(syncJob);
  jobs.push(mail.job, sms.job);
  if (remembered) jobs.push(makeIntervalJob('look for changes', remembered.check, 250, log));
  for (const { start } of jobs) start();
  let { tls } = config;
  metrics.readFrom(
    makeReadings({
      tables,
      database,
      controllers,
      dataDir: config.dataDir,
      syncIntervalMs: intervalMs,
      system,
      jobs: () => jobs.map(({ status }) => status()),
      tlsExpiresAt: () => tls && expiryOf(tls.cert),
    }),
  );

  return {
    url: server.url,
    socket: server.socket,
    publicUrl: config.publicUrl ?? server.url,
    replaceCertificate: (files) => {
      server.replaceCertificate(files);
      tls = files;
    },
    database,
    tables,
    now: system.now,
    listeningPages: changes.size,
    firstStartUrl: async () => {
      const begun = await auth.firstStart.begin();
      return begun && `${config.publicUrl ?? server.url}/first-start#token=${begun.token}`;
    },
    reconcile: reconciling.reconcile,
    sync: syncing.sync,
    mockedAtStart: contracts.mockedAtStart,
    reload: async (given = source) => {
      const reloaded = await contracts.reload(load(given));
      contractEvents?.notify();
      return reloaded;
    },
    stop: async () => {
      contractEvents?.close();
      await changes.close();
      await server.drain();
      mail.stop();
      sms.stop();
      retention.stop();
      // Their browsers may be gone.
      await deskOrders.idle();
      await Promise.all([...jobs.map(({ stop }) => stop()), keyCache.stop()]);
      await keyUsage.flush().catch((error: unknown) => {
        log.warn({ err: error }, 'the last requests of keys were not counted');
      });
      await Promise.all([reconciling.stop(), syncing.stop()]);
      await closeDelivering();
      await controllers.close();
      await database.close();
      await unlock();
      metrics.stop();
      await tracer?.shutdown();
    },
  };
};

/** When a certificate in PEM expires. It was loaded, so it can be read. */
const expiryOf = (cert: Buffer): number | undefined => {
  const at = Date.parse(new X509Certificate(cert).validTo);
  return Number.isNaN(at) ? undefined : at;
};
