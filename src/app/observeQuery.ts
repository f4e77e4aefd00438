import type { ObserveQuery } from '../database/queryObserver.js';
import type { Metrics } from '../metrics/metrics.js';

/** Measures the statements of the database, whether they succeed or not. */
export const makeObserveQuery =
  (metrics: Pick<Metrics, 'databaseQuery'>): ObserveQuery =>
  async ({ pool }, run) => {
    const started = performance.now();
    try {
      return await run();
    } finally {
      metrics.databaseQuery(pool, (performance.now() - started) / 1000);
    }
  };
