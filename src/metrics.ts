import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What is counted, for `/metrics`. */
export interface Metrics {
  request(operationId: string, status: number, seconds: number): void;
  limiterRefusal(): void;
  controllerCall(kind: string, call: string, outcome: string, seconds: number): void;
  contractViolation(operationId: string): void;
  reconciled(outcome: 'adopted' | 'removed'): void;
  delivery(format: string, outcome: string): void;
  text(): Promise<string>;
  readonly contentType: string;
  stop(): void;
}

export const makeMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'voucherd_' });
  const registers = [registry];
  const durations = new Histogram({
    name: 'voucherd_request_duration_seconds',
    help: 'Requests by operation and status, and how long they took',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
    registers,
  });
  const refusals = new Counter({
    name: 'voucherd_limiter_refusals_total',
    help: 'Requests refused because a key had used up its limit',
    registers,
  });
  const calls = new Histogram({
    name: 'voucherd_controller_call_duration_seconds',
    help: 'Calls of controllers by kind, call and outcome, and how long they took',
    labelNames: ['kind', 'call', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
    registers,
  });
  const violations = new Counter({
    name: 'voucherd_contract_violations_total',
    help: 'Replies that the contract does not document',
    labelNames: ['operation'],
    registers,
  });
  const reconciliations = new Counter({
    name: 'voucherd_reconciled_intents_total',
    help: 'Intents settled by the reconciler',
    labelNames: ['outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'voucherd_deliveries_total',
    help: 'Tries to deliver a notification, by format and outcome',
    labelNames: ['format', 'outcome'],
    registers,
  });
  // Finding a labelled child costs more than observing it, so each is looked up once.
  const observers = new Map<string, { observe(seconds: number): void }>();
  return {
    request: (operation, status, seconds) => {
      const name = `${operation} ${String(status)}`;
      let observer = observers.get(name);
      if (!observer) {
        observer = durations.labels(operation, String(status));
        observers.set(name, observer);
      }
      observer.observe(seconds);
    },
    limiterRefusal: () => {
      refusals.inc();
    },
    controllerCall: (kind, call, outcome, seconds) => {
      calls.labels(kind, call, outcome).observe(seconds);
    },
    contractViolation: (operation) => {
      violations.labels(operation).inc();
    },
    reconciled: (outcome) => {
      reconciliations.labels(outcome).inc();
    },
    delivery: (format, outcome) => {
      deliveries.labels(format, outcome).inc();
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    stop: () => {
      registry.clear();
    },
  };
};
