import autocannon from 'autocannon';
import type { AutocannonOrder, Load } from '../loadGenerator.js';
import { answerParent } from './parentChannel.js';

const measure = async ({ url, request, seconds }: AutocannonOrder): Promise<Load> => {
  const { method, headers, variants, connections } = request;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: variants.map(({ path, body }) => ({
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
    })),
  });
  const completed = result['2xx'] + result.non2xx;
  return {
    requestsPerSecond: completed / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    completed,
    failures: result.non2xx + result.errors + result.timeouts,
    bytesPerAnswer: completed === 0 ? 0 : result.throughput.total / completed,
  };
};

answerParent(async () => ({
  ready: 'ready',
  answer: async (order: AutocannonOrder) => ({ ...(await measure(order)) }),
}));
