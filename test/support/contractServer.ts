import { pino } from 'pino';
import { parseContract } from '../../src/contract/contract.js';
import type { AccessControl } from '../../src/contract/runtime/request.js';
import { makeResolveClient, makeResolveOrigin } from '../../src/http/client.js';
import { makeObserveRequest } from '../../src/http/response.js';
import { makeReloadableContract } from '../../src/http/servedContract.js';
import { startHttpServer } from '../../src/http/server.js';
import type { UploadBudget } from '../../src/http/uploadBudget.js';
import { makeMetrics } from '../../src/metrics/metrics.js';

/** A contract of a test's own, with its handlers. */
export interface ServedForTest {
  readonly source: string;
  /** Where it stands, when it refers to other files. */
  readonly file?: string;
  readonly handlers?: Readonly<Record<string, unknown>>;
  readonly basePath?: string;
  readonly access?: Partial<AccessControl<string>>;
  readonly uploads?: UploadBudget;
}

export interface ContractServer {
  readonly url: string;
  readonly lines: readonly string[];
  /** Replies that the contract does not document. */
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

/** Contracts on one server, without a database. Operations without a handler answer from their examples. */
export const startContractServer = async (
  ...contracts: readonly ServedForTest[]
): Promise<ContractServer> => {
  const lines: string[] = [];
  const violations: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const metrics = makeMetrics();
  const observe = makeObserveRequest(log, metrics);
  const addresses = { trustProxy: [], basePath: '' };
  let count = 0;
  const served = await Promise.all(
    contracts.map(({ source, file, handlers = {}, basePath = '', access = {}, uploads }) =>
      makeReloadableContract<string, undefined>(parseContract(source, file === undefined ? {} : { file }), {
        basePath,
        ...(uploads && { uploads }),
        access: {
          anonymous: 'test',
          authenticate: (token) => token,
          count: () => undefined,
          permits: () => true,
          ...access,
        },
        handlers,
        services: undefined,
        mocks: 'missing',
        descriptionPath: '/openapi.php',
        onViolation: (operationId, what) => void violations.push(`${operationId}: ${what}`),
        resolveOrigin: makeResolveOrigin(addresses),
        resolveClient: makeResolveClient(addresses),
        log,
        metrics,
        observe,
        admission: { enter: () => true, leave: () => undefined },
        requestDeadlineMs: 60_000,
        prefixOf: (key) => key,
      }),
    ),
  );
  const { url, drain } = await startHttpServer({
    target: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    tls: undefined,
    basePath: '',
    contracts: served,
    pages: (_req, res) => void res.writeHead(404).end(),
    observe,
    log,
    metrics,
    newRequestId: () => `request-${String((count += 1))}`,
    maxConnections: 100,
    backlog: 100,
    keepAliveTimeoutMs: 75_000,
    slowestAnswerMs: 60_000,
  });
  return {
    url,
    lines,
    violations,
    stop: async () => {
      await drain();
      metrics.stop();
    },
  };
};
