import type { Services } from '../../handlers/handler.js';
import { handlers } from '../../handlers/index.js';
import type { WebServices } from '../../handlers/web/handler.js';
import { webHandlers } from '../../handlers/web/index.js';
import type { ApiKey } from '../apiKeys/apiKeys.js';
import { makeWebAccess, type WebUser } from '../auth/webAccess.js';
import { explainListenError } from '../config/config.js';
import { toListenTarget } from '../config/listenAddress.js';
import { contractFile, loadServiceContract, webContractFile } from '../config/packagedContracts.js';
import type { Contract } from '../contract/contract.js';
import { checkDefaults } from '../contract/defaults.js';
import { checkExamples } from '../contract/mock/examples.js';
import { identifyDatabase } from '../database/databaseIdentity.js';
import { makeIsFromProxy, makeResolveBasePath } from '../http/client.js';
import { makeObserveRequest } from '../http/response.js';
import { makeReloadableContract } from '../http/servedContract.js';
import { startHttpServer, type RunningHttpServer } from '../http/server.js';
import { makeRequestIds, newId, type System } from '../lib/system.js';
import { makeExpressApp } from '../pages/expressApp.js';
import { makeContractEvents } from '../pages/reference.js';
import type { Foundation } from './foundation.js';
import type { KeyAccess } from './keyAccess.js';
import {
  makeOperationOptions,
  makeWebReadQueue,
  refuseWhenUnavailable,
  slowestAnswerMs,
} from './operationOptions.js';
import type { App, StartAppOptions } from './runningApp.js';
import { traceResponses } from './traceRequests.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import { CodedError } from '../errors/codedError.js';
import { migrationsPending } from '../metrics/checks.js';
import type { Database } from '../database/database.js';
import { pendingMigrations } from '../database/migrator.js';
import type { Tables } from './tables.js';
import { makeWriteProbe } from '../database/writeProbe.js';

/** Loads the contract that clients see, or another one that is given. */
export const loadClientContract = (
  { contract = contractFile, development }: StartAppOptions,
  given: string | Contract = contract,
): Contract => {
  const loaded = typeof given === 'string' ? loadServiceContract(given) : given;
  if (development) checkExamples(loaded);
  else checkDefaults(loaded);
  return loaded;
};

/** What the operations of both contracts work with. */
interface Served {
  readonly keys: KeyAccess;
  readonly services: Services;
  readonly webServices: WebServices;
}

/** The running server, and the contract of clients that it serves. */
interface HttpService extends RunningHttpServer, Pick<App, 'mockedAtStart' | 'reload'> {
  /** Ends the answers that would stay open. */
  closeEvents(): void;
}

/** Serves both contracts, the web UI, health and metrics. */
export const startHttpService = async (
  base: Foundation,
  options: StartAppOptions,
  contract: Contract,
  { keys, services, webServices }: Served,
): Promise<HttpService> => {
  const { config, database, tables, system, log, metrics } = base;
  const { development = false, isDemo = false } = options;
  const observe = traceResponses(base.tracer, makeObserveRequest(log, metrics));
  const shared = {
    ...makeOperationOptions(base, observe),
    mocks: development ? ('missing' as const) : undefined,
  };
  const contracts = await makeReloadableContract<ApiKey, Services>(contract, {
    ...shared,
    ...keys.options,
    basePath: '',
    handlers,
    services,
  });
  const webDocument = options.webContract ?? loadServiceContract(webContractFile);
  checkDefaults(webDocument);
  const { auth, branding } = webServices;
  const webContract = await makeReloadableContract<WebUser, WebServices>(webDocument, {
    ...shared,
    basePath: '/web',
    noStore: true,
    access: refuseWhenUnavailable(
      makeWebAccess({ sessions: auth.sessions, settings: tables.settings, revisions: tables.revisions }),
    ),
    handlers: webHandlers,
    services: webServices,
    prefixOf: ({ user }) => `user ${String(user.id)}`,
    queue: makeWebReadQueue(),
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
    slowestAnswerMs: slowestAnswerMs(config),
  }).catch((error: unknown) => {
    throw explainListenError(error as NodeJS.ErrnoException, config);
  });
  return {
    ...server,
    mockedAtStart: contracts.mockedAtStart,
    reload: async (given) => {
      const reloaded = await contracts.reload(loadClientContract(options, given));
      contractEvents?.notify();
      return reloaded;
    },
    closeEvents: () => contractEvents?.close(),
  };
};

/** The database is of an earlier version than the program. */
class MigrationsPending extends CodedError<typeof migrationsPending> {
  override readonly name = 'MigrationsPending';

  constructor(names: readonly string[]) {
    super(migrationsPending, `migrations pending: ${names.join(', ')}`, { kind: 'unavailable' });
  }
}

/** Checks what requests need: a reachable database with all migrations that can read revisions and write. */
const makeReadinessCheck = (
  database: Database,
  tables: Pick<Tables, 'revisions'>,
  system: System,
): (() => Promise<void>) => {
  const probeWrite = makeWriteProbe(database, system);
  return async () => {
    const { unavailableCode: code } = database;
    if (code) throw new DatabaseUnavailable(code, 'the database can not be used');
    await tables.revisions.total();
    const pending = await pendingMigrations(database, { allowsNewer: true });
    if (pending.length > 0) throw new MigrationsPending(pending);
    await probeWrite();
  };
};
