import { expect, test } from '@jest/globals';
import { Histogram, Registry } from 'prom-client';
import { makeHistogram } from '../../src/metrics/histogram.js';

test('a histogram is written as that of prom-client', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const options = { name: 'seconds', help: 'How long', buckets: [0.1, 0.5, 2] };
  const histogram = makeHistogram({ ...options, registry: ours });
  const model = new Histogram({ ...options, labelNames: ['operation', 'status'], registers: [theirs] });
  for (const labels of [
    { operation: 'listSites', status: '200' },
    { operation: 'listSites', status: '401' },
  ]) {
    const series = histogram.add(labels);
    // On a bound, between bounds, and beyond the last.
    for (const value of [0.1, 0.25, 0.5, 1, 3]) {
      series.observe(value);
      model.observe(labels, value);
    }
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
