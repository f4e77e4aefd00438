import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { HttpMetrics } from '../http/httpMetrics.js';

/** What is counted of any service, in the format of Prometheus. */
export interface ServiceMetrics extends HttpMetrics {
  contractViolation(operationId: string): void;
  text(): Promise<string>;
  readonly contentType: string;
  stop(): void;
}

/** Fine where "quick" becomes "slow". */
const durationBuckets = [0.005, 0.025, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 5, 10];

export const makeServiceMetrics = (): ServiceMetrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]): Counter =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by operation and status, and how long they took',
    labelNames: ['operation', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  const limited = counter(
    'http_limiter_refusals_total',
    'Requests refused because a caller had used up its limit',
  );
  const overload = counter('http_overload_refusals_total', 'Requests refused with 503, by reason', 'reason');
  const dropped = counter(
    'http_dropped_connections_total',
    'Connections ended before their requests were answered, by reason',
    'reason',
  );
  const violations = counter(
    'contract_violations_total',
    'Replies that the contract does not document',
    'operation',
  );
  return {
    request: (operation, status, seconds) => durations.labels(operation, String(status)).observe(seconds),
    limiterRefusal: () => limited.inc(),
    overloadRefusal: (reason) => overload.labels(reason).inc(),
    droppedConnection: (reason) => dropped.labels(reason).inc(),
    contractViolation: (operation) => violations.labels(operation).inc(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    stop: () => registry.clear(),
  };
};
