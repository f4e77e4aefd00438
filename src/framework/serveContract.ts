import { fileURLToPath } from 'node:url';
import { loadContract, type Contract } from '../contract/contract.js';
import { checkDefaults } from '../contract/defaults.js';
import { serverPathOf } from '../contract/serverPath.js';
import type { AccessControl } from '../contract/runtime/request.js';
import { makeIsFromProxy, makeResolveClient, makeResolveOrigin } from '../http/client.js';
import type { ListenTarget } from '../http/listen.js';
import { makeAdmission } from '../http/overload.js';
import { makeObserveRequest } from '../http/response.js';
import { makeReloadableContract } from '../http/servedContract.js';
import { startHttpServer, type RunningHttpServer } from '../http/server.js';
import { parseBasePath } from '../lib/basePath.js';
import { stopGracefully, waitForSignal } from '../lib/signals.js';
import { makeRequestIds, nodeSystem } from '../lib/system.js';
import { openLog } from '../log/log.js';
import { makeHealthEndpoints } from './healthEndpoints.js';
import type { ContractService, ListenOptions, ServeContractOptions, ServiceLimits } from './options.js';
import { makeServiceMetrics } from './serviceMetrics.js';

const standardLimits: ServiceLimits = {
  maxRequestsInFlight: 1000,
  maxConnections: 2000,
  keepAliveTimeoutMs: 75_000,
  requestDeadlineMs: 30_000,
  stopDeadlineMs: 25_000,
};

/** How many connections may wait to be accepted. */
const backlog = 4096;

/**
 * Makes a service of a contract and the functions that answer its operations. Throws when the contract can't
 * be served, with file, line and column, and when an operation has no handler, or a handler no operation.
 */
export const serveContract = async <Operations, Principal = undefined, Services = undefined>(
  options: ServeContractOptions<Operations, Principal, Services>,
): Promise<ContractService> => {
  type Known = NonNullable<Principal>;
  const { contract: file, handlers, services, toProblem, nameOf, metricsToken, trustProxy = [] } = options;
  const contract = loadContract(file instanceof URL ? fileURLToPath(file) : file);
  checkDefaults(contract);
  const access = makeAccess(contract, options);
  const basePath = readBasePath(options.basePath ?? serverPathOf(contract));
  const limits = { ...standardLimits, ...options.limits };
  const strictReplies = options.strictReplies ?? process.env['NODE_ENV'] !== 'production';
  const { log, end } = await openLog(options.logLevel ?? 'info');
  const metrics = makeServiceMetrics();
  const observe = makeObserveRequest(log, metrics);
  const served = await makeReloadableContract<Known, Services | undefined>(contract, {
    basePath: '',
    mountPath: basePath,
    access,
    handlers,
    services,
    mocks: options.mocks,
    describesAll: true,
    serverPathRemedy: 'change it, or basePath',
    onViolation: (operationId, what, mayThrow = true) => {
      metrics.contractViolation(operationId);
      log.error({ operation: operationId, what }, 'reply not documented in the contract');
      if (mayThrow && strictReplies)
        throw new Error(`${operationId}: reply not documented in the contract: ${what}`);
    },
    toProblem: (error) => toProblem?.(error),
    resolveOrigin: makeResolveOrigin({ trustProxy, basePath }),
    resolveClient: makeResolveClient({ trustProxy, basePath }),
    log,
    metrics,
    observe,
    admission: makeAdmission({
      maxInFlight: limits.maxRequestsInFlight,
      limitName: 'maxRequestsInFlight',
      log,
      metrics,
    }),
    requestDeadlineMs: limits.requestDeadlineMs,
    prefixOf: (principal) => nameOf?.(principal) ?? 'known',
  }).catch((error: unknown) => {
    metrics.stop();
    end();
    throw error;
  });
  const errors = () => served.current.errors;

  let server: Promise<RunningHttpServer> | undefined;
  const listen: ContractService['listen'] = async ({ tls, ...where } = {}) => {
    if (server) throw new Error('it listens already');
    server = startHttpServer({
      target: toTarget(where),
      tls,
      basePath,
      contracts: [served],
      isFromProxy: makeIsFromProxy({ trustProxy }),
      pages: makeHealthEndpoints({ errors, checkReady: options.checkReady, metrics, metricsToken, log }),
      observe,
      log,
      metrics,
      newRequestId: makeRequestIds(nodeSystem),
      maxConnections: limits.maxConnections,
      backlog,
      keepAliveTimeoutMs: limits.keepAliveTimeoutMs,
      slowestAnswerMs: limits.requestDeadlineMs,
    });
    server.catch(() => (server = undefined));
    return { url: (await server).url };
  };
  let closing: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    await (await server)?.drain();
    metrics.stop();
    end();
  };
  const close = (): Promise<void> => (closing ??= drain());
  const run: ContractService['run'] = async (where) => {
    const { url } = await listen(where);
    log.info({ url }, 'listening');
    await waitForSignal(process);
    log.info('stopping: finishing the requests in flight');
    await stopGracefully(close, process, {
      deadlineMs: limits.stopDeadlineMs,
      onDeadline: () => log.error('stopDeadlineMs exceeded: exiting with requests in flight'),
    });
  };
  return { listen, close, run, log };
};

type AccessOptions<Principal> = Pick<
  ServeContractOptions<unknown, Principal, unknown>,
  'authenticate' | 'permits' | 'countRequest'
>;

const makeAccess = <Principal>(
  contract: Contract,
  { authenticate, permits, countRequest }: AccessOptions<Principal>,
): AccessControl<NonNullable<Principal>> => {
  const protectedOne = [...contract.operations.values()].find(({ security }) => security.length > 0);
  if (protectedOne && !authenticate)
    throw new Error(`${protectedOne.name} needs credentials, and there is no function authenticate`);
  return {
    authenticate: (token, scheme, request, scopes) =>
      authenticate?.(token, {
        scheme,
        scopes,
        get client() {
          return request.client();
        },
      }),
    count: (principal) => countRequest?.(principal),
    permits: (principal, scope, { id }) => permits?.(principal, scope, id) ?? true,
  };
};

const readBasePath = (given: string): string => {
  const path = given === '' ? '' : parseBasePath(given);
  if (path === undefined) throw new Error(`basePath "${given}" is no path such as /v1`);
  return path;
};

const toTarget = ({ port = 8080, host = '127.0.0.1', path }: Omit<ListenOptions, 'tls'>): ListenTarget =>
  path === undefined ? { kind: 'tcp', host, port } : { kind: 'unix', path, mode: 0o660 };
