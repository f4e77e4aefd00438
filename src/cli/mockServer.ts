import { explainListening, type Config } from '../config.js';
import { loadContract, type Contract } from '../contract/contract.js';
import { checkExamples } from '../contract/examples.js';
import { newId, systemEffects } from '../effects.js';
import { makeFronts } from '../http/front.js';
import { makeObserve } from '../http/observe.js';
import { makeOriginOf } from '../http/origin.js';
import { makePages } from '../http/pages.js';
import { startServer } from '../http/server.js';
import type { Log } from '../log.js';
import { makeMetrics } from '../metrics.js';

/** A service that answers everything from the examples of its contract. */
export interface MockServer {
  readonly url: string;
  readonly contract: Contract;
  stop(): Promise<void>;
}

export const startMock = async (file: string, config: Config, log: Log): Promise<MockServer> => {
  const contract = loadContract(file);
  checkExamples(contract);
  const metrics = makeMetrics();
  const observe = makeObserve(log, metrics);
  const fronts = await makeFronts<string, undefined>(contract, {
    basePath: config.basePath,
    // Everybody may do everything; what is refused is asked for with Prefer.
    gate: { anonymous: 'mock', authenticate: () => 'mock', count: () => undefined, permits: () => true },
    handlers: {},
    services: undefined,
    mocks: 'all',
    onViolation: () => undefined,
    originOf: makeOriginOf(config.trustProxy),
    log,
    metrics,
    observe,
    admission: { enter: () => true, leave: () => undefined },
    requestDeadlineMs: config.controllerDeadlineMs,
    prefixOf: (key) => key,
  });
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
      ready: () => Promise.resolve(),
    }),
    observe,
    log,
    metrics,
    newRequestId: () => newId(systemEffects),
    maxConnections: config.maxConnections,
    keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    slowestAnswerMs: config.controllerDeadlineMs,
  }).catch((error: unknown) => {
    metrics.stop();
    throw explainListening(error as NodeJS.ErrnoException, config);
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
