import { descriptionPath } from '../../config/packagedContracts.js';
import { explainListenError, type Config } from '../../config/config.js';
import { toListenTarget } from '../../config/listenAddress.js';
import type { Contract } from '../../contract/contract.js';
import { serverPathOf } from '../../contract/serverPath.js';
import { makeResolveBasePath, makeResolveClient, makeResolveOrigin } from '../../http/client.js';
import { makeExpressApp } from '../../pages/expressApp.js';
import { makeObserveRequest } from '../../http/response.js';
import { makeReloadableContract } from '../../http/servedContract.js';
import { startHttpServer } from '../../http/server.js';
import type { Log } from '../../log/log.js';
import { makeMetrics } from '../../metrics/metrics.js';
import { parseBasePath } from '../../lib/basePath.js';
import { newId, nodeSystem } from '../../lib/system.js';
import { loadGivenContract } from '../givenContract.js';

/** A service that answers everything from its contract alone. */
interface MockServer {
  readonly url: string;
  readonly contract: Contract;
  stop(): Promise<void>;
}

export interface MockServerOptions {
  /** Of another contract than ours. */
  readonly file: string | undefined;
  /** Generates answers from the schemas, with this seed, instead of using the examples. */
  readonly seed: number | undefined;
  /** Serves below the path of the contract's first server, and not below that of the configuration. */
  readonly obeysServerPath: boolean;
  /** How the port was given, unless by `PORT`. */
  readonly portName?: string;
}

/** Starts it with a contract, or with ours. Throws when an example does not follow its schema. */
export const startMockServer = async (
  { file, seed, obeysServerPath, portName }: MockServerOptions,
  given: Config,
  log: Log,
): Promise<MockServer> => {
  const basePathOf = (contract: Contract): string =>
    (obeysServerPath ? parseBasePath(serverPathOf(contract)) : undefined) ?? given.basePath;
  const contract = loadGivenContract(file, basePathOf, (reason) =>
    log.warn({ reason }, 'not mocked as written'),
  );
  const config = { ...given, basePath: basePathOf(contract) };
  const metrics = makeMetrics();
  const observe = makeObserveRequest(log, metrics);
  const contracts = await makeReloadableContract<string, undefined>(contract, {
    basePath: '',
    mountPath: config.basePath,
    descriptionPath,
    // Every request is allowed; a client asks for a refusal with Prefer.
    access: { anonymous: 'mock', authenticate: () => 'mock', count: () => undefined, permits: () => true },
    handlers: {},
    services: undefined,
    mocks: 'all',
    mockSeed: seed,
    mayHaveOtherServerPath: file !== undefined,
    onViolation: () => undefined,
    resolveOrigin: makeResolveOrigin(config),
    resolveClient: makeResolveClient(config),
    log,
    metrics,
    observe,
    admission: { enter: () => true, leave: () => undefined },
    requestDeadlineMs: config.controllerDeadlineMs,
    prefixOf: (key) => key,
  });
  const server = await startHttpServer({
    target: toListenTarget(config),
    tls: config.tls,
    basePath: config.basePath,
    contracts: [contracts],
    pages: makeExpressApp({
      resolveBasePath: makeResolveBasePath(config),
      errors: () => contracts.current.errors,
      metrics,
      metricsToken: config.metricsToken,
      log,
      checkReady: () => Promise.resolve(),
      system: nodeSystem,
    }),
    observe,
    log,
    metrics,
    newRequestId: () => newId(nodeSystem),
    maxConnections: config.maxConnections,
    backlog: config.listenBacklog,
    keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    slowestAnswerMs: config.controllerDeadlineMs,
  }).catch((error: unknown) => {
    metrics.stop();
    throw explainListenError(error as NodeJS.ErrnoException, config, portName);
  });
  return {
    url: server.url,
    contract,
    stop: async () => {
      await server.drain();
      metrics.stop();
    },
  };
};
