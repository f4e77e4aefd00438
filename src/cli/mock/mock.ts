import type { Command } from 'commander';
import { explainListenError, readConfig, type Config } from '../../config.js';
import { contractFile, loadContract, type Contract } from '../../contract/contract.js';
import { checkExamples } from '../../contract/examples.js';
import { makeResolveOrigin } from '../../http/description.js';
import { makePages } from '../../http/pages/pages.js';
import { makeObserveRequest } from '../../http/requestObserver.js';
import { makeReloadableContract } from '../../http/servedContract.js';
import { startHttpServer } from '../../http/server.js';
import { openLog, type Log } from '../../lib/log.js';
import { makeMetrics } from '../../lib/metrics.js';
import { newId, nodeSystem } from '../../lib/system.js';
import type { Io } from '../io.js';
import { stopGracefully, waitForSignal, type Signals } from '../signals.js';

export const addMockCommand = (program: Command, io: Io, signals: Signals = process): void => {
  program
    .command('mock')
    .description('Answer every operation from the examples of the contract: no database, no key')
    .option('--contract <file>', 'another contract than the one that comes with the program')
    .option('--json', 'print the address as JSON when it listens, and nothing else')
    .action(async (options: { contract?: string; json?: boolean }) => {
      const config = readConfig(io.env);
      const { log, end } = openLog(config.logLevel);
      try {
        const { contract, url, stop } = await startMockServer(options.contract ?? contractFile, config, log);
        io.out(
          options.json ? `${JSON.stringify({ url })}\n` : formatIntroduction(contract, url + config.basePath),
        );
        await waitForSignal(signals);
        await stopGracefully(stop, signals, {
          deadlineMs: config.stopDeadlineMs,
          onDeadline: () => log.error('not stopped in time: ended with what is in flight'),
        });
      } finally {
        end();
      }
    });
};

const formatIntroduction = ({ operations, resolved }: Contract, base: string): string => {
  const all = [...operations.values()].map(({ id, location: [, path, method], definition }) => ({
    request: `${String(method).toUpperCase().padEnd(6)} ${base}${String(path)}`,
    answers: `${id}: ${Object.keys(definition.responses).join(' ')}`,
  }));
  const width = Math.max(0, ...all.map(({ request }) => request.length));
  const lines = all.map(({ request, answers }) => `  ${request.padEnd(width)}  ${answers}\n`);
  return `
${resolved.info.title}, mocked: every answer is an example of the contract. No key is needed.

${lines.join('')}
Prefer chooses the status, or an example by its name: -H 'Prefer: code=404', -H 'Prefer: example=name'
Stop with Ctrl-C.

`;
};

/** A service that answers everything from the examples of its contract. */
export interface MockServer {
  readonly url: string;
  readonly contract: Contract;
  stop(): Promise<void>;
}

const startMockServer = async (file: string, config: Config, log: Log): Promise<MockServer> => {
  const contract = loadContract(file);
  checkExamples(contract);
  const metrics = makeMetrics();
  const observe = makeObserveRequest(log, metrics);
  const contracts = await makeReloadableContract<string, undefined>(contract, {
    basePath: config.basePath,
    // Everybody may do everything; what is refused is asked for with Prefer.
    access: { anonymous: 'mock', authenticate: () => 'mock', count: () => undefined, permits: () => true },
    handlers: {},
    services: undefined,
    mocks: 'all',
    onViolation: () => undefined,
    resolveOrigin: makeResolveOrigin(config.trustProxy),
    log,
    metrics,
    observe,
    admission: { enter: () => true, leave: () => undefined },
    requestDeadlineMs: config.controllerDeadlineMs,
    prefixOf: (key) => key,
  });
  const server = await startHttpServer({
    host: config.host,
    port: config.port,
    tls: config.tls,
    servedContract: contracts.current,
    pages: makePages({
      basePath: config.basePath,
      metrics,
      metricsToken: config.metricsToken,
      log,
      checkReady: () => Promise.resolve(),
    }),
    observe,
    log,
    metrics,
    newRequestId: () => newId(nodeSystem),
    maxConnections: config.maxConnections,
    keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    slowestAnswerMs: config.controllerDeadlineMs,
  }).catch((error: unknown) => {
    metrics.stop();
    throw explainListenError(error as NodeJS.ErrnoException, config);
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
