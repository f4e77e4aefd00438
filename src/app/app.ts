import { X509Certificate } from 'node:crypto';
import { warnOfIncompleteProvider } from '../auth/identityProvider.js';
import { makeAccountServices } from './accountServices.js';
import { makeObserveQuery } from './observeQuery.js';
import { makeWebServices } from './webServices.js';
import { makeDataDir } from '../config/config.js';
import { makeIntervalJob } from '../jobs/intervalJob.js';
import { makeMetrics, type Metrics } from '../metrics/metrics.js';
import { makeRetention, retentionIntervalMs } from '../retention/retention.js';
import { makeChangeFeed } from '../database/changeFeed.js';
import { makeReadings } from '../diagnostics/readings.js';
import { openDatabase, type Database } from '../database/database.js';
import { explainDatabaseError } from '../database/databaseErrors.js';
import { acquireServiceLock, type ReleaseServiceLock } from '../database/serviceLock.js';
import type { App, StartAppOptions } from './runningApp.js';
import { makeListVouchers } from '../vouchers/list.js';
import { layFoundation } from './foundation.js';
import { loadClientContract, startHttpService } from './httpService.js';
import { makeKeyAccess } from './keyAccess.js';
import { makeVoucherServices } from './voucherServices.js';

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

/** Puts the parts together and starts them. */
const compose = async (
  options: StartAppOptions,
  database: Database,
  metrics: Metrics,
  unlock: ReleaseServiceLock,
): Promise<App> => {
  const { config, log } = options;
  const contract = loadClientContract(options);
  const base = await layFoundation(options, database, metrics);
  const { tables, system } = base;
  await options.prepare?.(tables);

  const vouchers = makeVoucherServices(base);
  const { sites, order, controllers, deskOrders, reconciling, syncing } = vouchers;
  const keys = await makeKeyAccess(base);
  const accounts = makeAccountServices(base, options.passwordCost);
  await warnOfIncompleteProvider(accounts.identityProvider, log);
  const changes = makeChangeFeed(database, log);
  // Known once it listens; nothing is sent before.
  let listensAt = '';
  const web = makeWebServices({
    ...base,
    ...vouchers,
    ...accounts,
    publicUrl: () => config.publicUrl ?? listensAt,
    changes,
    keyUsage: keys.keyUsage,
    isDemo: options.isDemo ?? false,
    puzzleBits: options.puzzleBits,
  });
  const server = await startHttpService(base, options, contract, {
    keys,
    services: { sites, vouchers: { order, list: makeListVouchers(tables, system) } },
    webServices: web.services,
  });
  listensAt = server.url;
  const publicUrl = config.publicUrl ?? server.url;

  keys.watch();
  const retention = makeRetention({ ...base, observer: metrics.retention });
  const jobs = [
    ...vouchers.voucherJobs,
    keys.usageJob,
    ...base.databaseJobs,
    makeIntervalJob('retention', retention.run, retentionIntervalMs, log),
    ...web.jobs,
  ];
  for (const { start } of jobs) start();
  let { tls } = config;
  metrics.readFrom(
    makeReadings({
      ...base,
      dataDir: config.dataDir,
      syncIntervalMs: config.syncIntervalMs,
      controllers,
      jobs: () => jobs.map(({ status }) => status()),
      tlsExpiresAt: () => tls && expiryOf(tls.cert),
    }),
  );

  return {
    ...server,
    publicUrl,
    replaceCertificate: (files) => {
      server.replaceCertificate(files);
      tls = files;
    },
    database,
    tables,
    now: system.now,
    listeningPages: changes.size,
    firstStartUrl: async () => {
      const begun = await accounts.auth.firstStart.begin();
      return begun && `${publicUrl}/first-start#token=${begun.token}`;
    },
    reconcile: reconciling.reconcile,
    sync: syncing.sync,
    stop: async () => {
      server.closeEvents();
      await changes.close();
      await server.drain();
      const sendingEnds = web.stop();
      retention.stop();
      // Their browsers may be gone.
      await deskOrders.idle();
      await Promise.all(jobs.map(({ stop }) => stop()));
      await sendingEnds;
      await keys.stop();
      await vouchers.close();
      await database.close();
      await unlock();
      metrics.stop();
      await options.tracer?.shutdown();
    },
  };
};

/** When a certificate in PEM expires. It was loaded, so it can be read. */
const expiryOf = (cert: Buffer): number | undefined => {
  const at = Date.parse(new X509Certificate(cert).validTo);
  return Number.isNaN(at) ? undefined : at;
};
