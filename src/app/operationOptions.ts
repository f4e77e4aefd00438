import type { WebUser } from '../auth/webAccess.js';
import type { Config } from '../config/config.js';
import { descriptionPath } from '../config/packagedContracts.js';
import type { RunQueued } from '../contract/runtime/operations.js';
import type { AccessControl } from '../contract/runtime/request.js';
import type { OnViolation } from '../contract/runtime/validators.js';
import { DatabaseUnavailable, waitedInVain, type UnavailableCode } from '../database/unavailable.js';
import { makeUnavailable, type HttpProblem } from '../errors/httpProblem.js';
import { Problem, Refusal } from '../errors/problem.js';
import { makeResolveClient, makeResolveOrigin } from '../http/client.js';
import { makeAdmission } from '../http/overload.js';
import { makeReadQueue } from '../http/readQueue.js';
import type { ObserveRequest } from '../http/response.js';
import type { Foundation } from './foundation.js';
import { makeTraceRequests } from './traceRequests.js';

/**
 * What clients read of errors that are no refusals of requests yet. Others are an unexpected `server_error`.
 */
const toProblem = (error: unknown): HttpProblem<string> | undefined => {
  if (error instanceof Refusal) return error.toProblem();
  if (waitedInVain(error)) return makeUnavailable(error);
  return error instanceof DatabaseUnavailable
    ? new Problem('server_error', { message: unavailableTexts[error.code] }, {}, error)
    : undefined;
};

/** Clients do not learn where the database is, or why it does not answer. */
const unavailableTexts: Readonly<Record<UnavailableCode, string>> = {
  unreachable: 'Die Datenbank ist nicht erreichbar',
  'read-only': 'Die Datenbank kann nur gelesen werden',
};

/** Nothing was done yet when the database does not answer here, so the client may send the request again. */
export const refuseWhenUnavailable = <Key>(access: AccessControl<Key>): AccessControl<Key> => ({
  ...access,
  authenticate: (...credentials) => orUnavailable(access.authenticate(...credentials)),
  count: (key) => orUnavailable(access.count(key)),
});

const orUnavailable = <T>(asked: T): T =>
  asked instanceof Promise
    ? (asked.catch((error: unknown) => {
        throw error instanceof DatabaseUnavailable ? makeUnavailable() : error;
      }) as T)
    : asked;

/** How long a client is assumed to wait at least. */
const minRequestDeadlineMs = 10_000;

/** How long an order may wait in the queue. */
const requestDeadlineMs = ({ controllerDeadlineMs }: Config): number =>
  Math.max(minRequestDeadlineMs, controllerDeadlineMs);

/** How long the slowest answer takes: an order waits in the queue, and then for its controller. */
export const slowestAnswerMs = (config: Config): number =>
  requestDeadlineMs(config) + config.controllerDeadlineMs;

/**
 * Queues the reads of the pages by user; not those that take next to nothing,
 * or wait for other servers or for events.
 */
export const makeWebReadQueue = (): RunQueued<WebUser> =>
  makeReadQueue({
    principalOf: ({ user }) => `user ${String(user.id)}`,
    unqueued: new Set([
      'getStart',
      'getSession',
      'beginSingleSignOn',
      'endSingleSignOn',
      'listForeignVouchers',
      'followEvents',
    ]),
  });

/** What the operations of both contracts have in common. */
export const makeOperationOptions = (base: Foundation, observe: ObserveRequest) => {
  const { config, database, log, metrics, tracer } = base;
  return {
    onViolation: makeOnViolation(base),
    toProblem,
    mountPath: config.basePath,
    descriptionPath,
    resolveOrigin: makeResolveOrigin(config),
    resolveClient: makeResolveClient(config),
    log,
    metrics,
    observe,
    traceRequests: tracer && makeTraceRequests(tracer),
    admission: makeAdmission({
      maxInFlight: config.maxRequestsInFlight,
      limitName: 'MAX_REQUESTS_IN_FLIGHT',
      needed: {
        reason: 'database',
        text: 'the database does not answer',
        isUnavailable: () => database.isUnavailable,
      },
      log,
      metrics,
    }),
    serverPathRemedy: 'remove it, or set BASE_PATH',
    requestDeadlineMs: requestDeadlineMs(config),
  };
};

/**
 * Counts and logs replies that the contract does not
 * document. In tests and in development they are errors, too.
 */
const makeOnViolation =
  ({ config, metrics, log }: Foundation): OnViolation =>
  (operationId, what, mayThrow = true) => {
    metrics.contractViolation(operationId);
    log.error({ operation: operationId, what }, 'reply not documented in the contract');
    if (mayThrow && config.strictReplies)
      throw new Error(`${operationId}: reply not documented in the contract: ${what}`);
  };
