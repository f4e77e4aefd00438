import { queryBuckets, waitBuckets, type Instruments } from './instruments.js';

/**
 * Why a connection was dropped: there were too many of them, or too many requests waiting on them; its client
 * fell silent, did not complete a request whose answer had begun, or closed it before its requests could
 * begin.
 */
type DropReason = 'connections' | 'pipelining' | 'silent' | 'incomplete' | 'closed';

/** What is counted of requests. */
export interface RequestMetrics {
  request(operationId: string, status: number, seconds: number): void;
  limiterRefusal(): void;
  /** A request was refused with 503: as many as may be are in flight, or the database does not answer. */
  overloadRefusal(reason: string): void;
  droppedConnection(reason: DropReason): void;
  databaseQuery(pool: string, seconds: number): void;
  contractViolation(operationId: string): void;
}

export const makeRequestMetrics = ({ counter, histogram }: Instruments): RequestMetrics => {
  const durations = histogram(
    'request_duration_seconds',
    'Requests by operation and status, and how long they took',
    waitBuckets,
    ['operation', 'status'],
  );
  const refusals = counter('limiter_refusals_total', 'Requests refused because a key had used up its limit');
  const overloadRefusals = counter(
    'overload_refusals_total',
    'Requests refused with 503 because too many are in flight, or the database does not answer',
    ['reason'],
  );
  const dropped = counter(
    'dropped_connections_total',
    'Connections ended before their requests were answered, by reason',
    ['reason'],
  );
  const queries = histogram(
    'database_query_duration_seconds',
    'Statements by pool, and how long the database took for them, without the wait for a connection',
    queryBuckets,
    ['pool'],
  );
  const violations = counter('contract_violations_total', 'Replies that the contract does not document', [
    'operation',
  ]);
  // A series that begins with its first event would hide that event from `increase()`.
  for (const reason of ['in_flight', 'database']) overloadRefusals.labels(reason).inc(0);
  return {
    request: (operation, status, seconds) => {
      durations.labels(operation, String(status)).observe(seconds);
    },
    limiterRefusal: () => {
      refusals.inc();
    },
    overloadRefusal: (reason) => {
      overloadRefusals.labels(reason).inc();
    },
    droppedConnection: (reason) => {
      dropped.labels(reason).inc();
    },
    databaseQuery: (pool, seconds) => {
      queries.labels(pool).observe(seconds);
    },
    contractViolation: (operation) => {
      violations.labels(operation).inc();
    },
  };
};
