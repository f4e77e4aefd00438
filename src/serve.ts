import { handlers } from '../handlers/index.js';
import { makeKeyRing, permits, type ApiKey } from './access/keys.js';
import { makeLimiter } from './access/limiter.js';
import { explainListening, makeDataDir, type Config } from './config.js';
import { loadContract, type Contract } from './contract/contract.js';
import { contractFile as ownContractFile } from './contract/contractFile.js';
import { checkExamples } from './contract/examples.js';
import { makeControllerRegistry } from './controllers/registry.js';
import { DatabaseUnavailable } from './databaseUnavailable.js';
import { newId, systemEffects, type Effects } from './effects.js';
import { makeAdmission } from './http/admission.js';
import { makeFronts, type Reloaded } from './http/front.js';
import { makeObserve } from './http/observe.js';
import { makeOriginOf } from './http/origin.js';
import { makePages } from './http/pages.js';
import { makeReloads } from './http/reloads.js';
import { startServer } from './http/server.js';
import type { Log } from './log.js';
import { makeMetrics } from './metrics.js';
import { unavailable } from './problem.js';
import { cleanDeliveries, deliveryIntervalMs, makeNotifications } from './notifications/notifications.js';
import type { Services } from './services.js';
import { makeSiteDirectory } from './sites/directory.js';
import { openDatabase, type Database } from './storage/database.js';
import { clockIntervalMs, openDatabaseClock } from './storage/databaseClock.js';
import { explainDatabaseError } from './storage/databaseTrouble.js';
import { migrate, pendingMigrations } from './storage/migrate.js';
import { lockForServing, type Unlock } from './storage/serveLock.js';
import { makeStorage, type Storage } from './storage/storage.js';
import { makeRegularly } from './regularly.js';
import { openStoredSecrets } from './storedSecrets.js';
import { bindStoredSecrets } from './unboundSecrets.js';
import { makeListVouchers } from './vouchers/listing.js';
import { makeOrderVoucher } from './vouchers/ordering.js';
import { makeReconciling } from './vouchers/reconciling.js';
import { makeSyncing, syncTickMs } from './vouchers/syncing.js';

export interface ServeOptions {
  config: Config;
  log: Log;
  /** How many lines the log has dropped, for the metrics. */
  droppedLogLines?: () => number;
  effects?: Effects;
  /** Looks at what is stored before anything is started on it. What it throws ends the start. */
  prepare?(storage: Storage): Promise<void>;
  /** Another contract than the one that comes with the program. */
  contractFile?: string;
  /** Operations without a handler answer from their examples, which are checked, and pages hear of a reload. */
  development?: boolean;
}

/** A running service. */
export interface Service {
  readonly url: string;
  readonly database: Database;
  readonly storage: Storage;
  /** The time that it goes by: its database's. */
  now(): number;
  /** Settles open intents now, and returns how many are left. */
  reconcile(): Promise<number>;
  /** Compares recorded vouchers with their controllers now. */
  sync(): Promise<void>;
  /**
   * Serves another contract, or what its file says now, from the next request on; requests in flight end with the
   * one they began with. A contract that can not be served is thrown, and the last one goes on.
   */
  reload(contract?: string | Contract): Promise<Reloaded>;
  /** Takes no more requests, finishes what is in flight, closes everything. */
  stop(): Promise<void>;
}

/** Opens the database and starts the service on it. */
export const serve = async (options: ServeOptions): Promise<Service> => {
  const { config } = options;
  makeDataDir(config);
  // In development the next build starts beside the last one, and takes over from it.
  const lock = options.development ? noLock : lockForServing;
  const unlock = await lock(config.databaseUrl).catch((error: unknown) => {
    throw explainDatabaseError(error, config);
  });
  const database = openDatabase(config.databaseUrl, {
    poolMax: config.databasePoolMax,
    timeoutMs: config.databaseTimeoutMs,
  });
  try {
    return await compose(options, database, unlock);
  } catch (error) {
    await database.close();
    await unlock();
    throw explainDatabaseError(error, config);
  }
};

const noLock = (): Promise<Unlock> => Promise.resolve(() => Promise.resolve());

/** How long a client is taken to wait for an answer at least, and how long orders wait to be begun. */
const requestDeadlineMs = 10_000;

/** Puts the parts together and starts them. The only place that knows all of them. */
const compose = async (options: ServeOptions, database: Database, unlock: Unlock): Promise<Service> => {
  const { config, log, effects: own = systemEffects, contractFile = ownContractFile } = options;
  const { development = false } = options;
  const load = (given: string | Contract): Contract => {
    const loaded = typeof given === 'string' ? loadContract(given) : given;
    if (development) checkExamples(loaded);
    return loaded;
  };
  const contract = load(contractFile);
  const migrated = await migrate(database);
  if (migrated.length > 0) log.info({ migrations: migrated }, 'database migrated');
  // Processes that share a database write and compare times by its clock.
  const clock = await openDatabaseClock(database, own);
  const effects: Effects = { ...own, now: () => clock.now() };
  const storage = makeStorage(database, effects);
  const bound = await bindStoredSecrets(config, storage.sealed, effects);
  if (bound > 0) log.info({ values: bound }, 'stored secrets were bound to what they belong to');
  await options.prepare?.(storage);
  const metrics = makeMetrics(options);
  const owner = newId(effects);

  const controllers = makeControllerRegistry({
    dataDir: config.dataDir,
    effects,
    log,
    deadlineMs: config.controllerDeadlineMs,
    unrecorded: storage.vouchers.unrecorded,
    secrets: () => openStoredSecrets(config, effects),
  });
  const sites = makeSiteDirectory(storage, controllers);
  const deadlineMs = config.controllerDeadlineMs;
  const { delivering, close: closeDelivering } = makeNotifications({
    config,
    storage,
    effects,
    metrics,
    log,
    owner,
  });
  const sending = makeRegularly('delivering', delivering.pass, deliveryIntervalMs, log);
  const order = makeOrderVoucher({
    storage,
    sites,
    effects,
    metrics,
    log,
    announced: sending.wake,
    deadlineMs,
  });
  const services: Services = { sites, vouchers: { order, list: makeListVouchers(storage, effects) } };
  const reconciling = makeReconciling({
    storage,
    sites,
    effects,
    metrics,
    log,
    owner,
    deadlineMs,
    graceMs: config.reconcileGraceMs,
  });
  const { syncIntervalMs: intervalMs } = config;
  const syncing = makeSyncing({ storage, sites, effects, metrics, log, owner, intervalMs });

  const keys = makeKeyRing({ table: storage.apiKeys, revisions: storage.revisions, effects, log });
  await keys.load();
  const limiter = makeLimiter(database, effects);
  const observe = makeObserve(log, metrics);
  const fronts = await makeFronts<ApiKey, Services>(contract, {
    basePath: config.basePath,
    gate: {
      authenticate: (token) => orUnavailable(keys.find(token)),
      count: (key) => orUnavailable(limiter.count(key)),
      permits,
    },
    handlers,
    services,
    onViolation: (operationId, what, mayThrow = true) => {
      metrics.contractViolation(operationId);
      log.error({ operation: operationId, what }, 'reply not documented in the contract');
      if (mayThrow && config.strictReplies)
        throw new Error(`${operationId}: reply not documented in the contract: ${what}`);
    },
    mocks: development ? 'missing' : undefined,
    originOf: makeOriginOf(config.trustProxy),
    log,
    metrics,
    observe,
    admission: makeAdmission({
      maxInFlight: config.maxRequestsInFlight,
      isUnavailable: database.isAway,
    }),
    requestDeadlineMs: Math.max(requestDeadlineMs, deadlineMs),
    prefixOf: ({ prefix }) => prefix,
  });
  const reloads = development ? makeReloads(newId(effects)) : undefined;

  const server = await startServer({
    host: config.host,
    port: config.port,
    tls: config.tls,
    front: fronts.current,
    pages: makePages({
      basePath: config.basePath,
      metrics,
      metricsToken: config.metricsToken,
      log,
      reloads: reloads?.handle,
      ready: async () => {
        // The way of the requests: they are refused while it is away, ask for revisions, and write.
        if (database.isAway()) throw new DatabaseUnavailable('the database does not answer');
        await storage.revisions.current('keys');
        await database.write('leases').whereRaw('1 = 0').delete();
        const pending = await pendingMigrations(database);
        if (pending.length > 0) throw new Error(`migrations pending: ${pending.join(', ')}`);
      },
      openIntents: storage.intents.count,
    }),
    observe,
    log,
    metrics,
    newRequestId: makeRequestIds(effects),
    maxConnections: config.maxConnections,
    keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    // An order waits to be begun, and then for its controller.
    slowestAnswerMs: Math.max(requestDeadlineMs, deadlineMs) + deadlineMs,
  }).catch((error: unknown) => {
    throw explainListening(error as NodeJS.ErrnoException, config);
  });

  const settling = makeRegularly('reconciling', reconciling.begin, config.reconcileIntervalMs, log);
  const comparing = makeRegularly('syncing', syncing.tick, syncTickMs(intervalMs), log);
  const forgetting = makeRegularly(
    'forgetting',
    () => storage.idempotency.forget(effects.now()),
    3_600_000,
    log,
  );
  keys.watch();
  const cleaning = makeRegularly('cleaning', () => cleanDeliveries(storage, effects.now()), 3_600_000, log);
  const measuring = makeRegularly('asking the database for its time', clock.measure, clockIntervalMs, log);
  const regular = [settling, forgetting, sending, cleaning, measuring];
  if (intervalMs > 0) regular.push(comparing);
  for (const { start } of regular) start();

  return {
    url: server.url,
    database,
    storage,
    now: effects.now,
    reconcile: reconciling.reconcile,
    sync: syncing.sync,
    reload: async (given = contractFile) => {
      const reloaded = await fronts.reload(load(given));
      reloads?.notify();
      return reloaded;
    },
    stop: async () => {
      reloads?.close();
      await server.drain();
      await Promise.all([...regular.map(({ stop }) => stop()), keys.stop()]);
      await Promise.all([reconciling.stop(), syncing.stop()]);
      await closeDelivering();
      await controllers.close();
      await database.close();
      await unlock();
      metrics.stop();
    },
  };
};

/** Short and unique: what is random is drawn once per process. */
const makeRequestIds = (effects: Effects): (() => string) => {
  const process = effects.randomBytes(6).toString('hex');
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
};

/** Before an operation begins, a database that does not answer is no fault of the request: it may be sent again. */
const orUnavailable = <T>(asked: T): T =>
  asked instanceof Promise
    ? (asked.catch((error: unknown) => {
        throw error instanceof DatabaseUnavailable ? unavailable() : error;
      }) as T)
    : asked;
