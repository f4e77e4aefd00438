import type { ObserveQuery } from '../database/queryObserver.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Tracer } from '../tracing/tracer.js';

/** Measures the statements of the database, whether they succeed or not, and traces those of a span. */
export const makeObserveQuery = (
  metrics: Pick<Metrics, 'databaseQuery'>,
  tracer: Tracer | undefined,
): ObserveQuery => {
  const measure = makeMeasureQuery(metrics);
  if (!tracer) return measure;
  return (query, run) => {
    // Jobs ask the database all the time.
    if (!tracer.isActive()) return measure(query, run);
    const name = summarize(query.sql);
    const attributes = { 'db.query.summary': name, 'voucherd.pool': query.pool };
    return tracer.run({ name, kind: 'client', attributes }, () => measure(query, run));
  };
};

/**
 * What a statement does, and to which table: `insert intents`. No text of it could hold a value by mistake.
 */
const summarize = (sql: string): string => {
  const [, verb = 'statement'] = /^\W*(\w{1,20})/.exec(sql) ?? [];
  const [, table] = /\b(?:from|into|update)\s+["`]?(\w{1,40})/i.exec(sql) ?? [];
  return table === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${table}`;
};

const makeMeasureQuery =
  (metrics: Pick<Metrics, 'databaseQuery'>): ObserveQuery =>
  async ({ pool }, run) => {
    const started = performance.now();
    try {
      return await run();
    } finally {
      metrics.databaseQuery(pool, (performance.now() - started) / 1000);
    }
  };
