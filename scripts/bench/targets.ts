import type { HungResult } from './hungController.js';
import type { ListResult } from './lists.js';
import type { RequestResult } from './results.js';
import type { WebhookResult } from './webhooks.js';

/** A promise that the benchmark holds voucherd to. */
export interface BenchTarget {
  readonly name: string;
  readonly wanted: string;
  readonly reached: number;
  readonly met: boolean;
}

interface RequestTarget {
  readonly request: RequestResult['name'];
  readonly of: 'toLimit' | 'toConventional';
  readonly atLeast: number;
}

const requestTargets: readonly RequestTarget[] = [
  { request: 'sites', of: 'toLimit', atLeast: 0.35 },
  { request: 'sites', of: 'toConventional', atLeast: 3 },
  { request: 'vouchers', of: 'toLimit', atLeast: 0.35 },
  { request: 'vouchers', of: 'toConventional', atLeast: 15 },
  { request: 'create', of: 'toLimit', atLeast: 0.15 },
];

/** The list with the most vouchers, as a multiple of the list with the fewest. */
const largestListAtMost = 1.3;

/** The p99 of creations with a webhook that hangs, as a multiple of that with none. */
const hangingAtMost = 1.2;

/** The p99 beside orders that run into a hung controller, as a multiple of that without. */
const hungAtMost = 1.5;

/** Compares what was measured with what was promised; what was not measured is left out. */
export const judgeTargets = (
  requests: readonly RequestResult[],
  lists: readonly ListResult[],
  webhooks: WebhookResult | undefined,
  hung: readonly HungResult[],
): BenchTarget[] => [
  ...requestTargets.flatMap((target) => judgeRequest(target, requests)),
  ...judgeLists(lists),
  ...(webhooks ? [judgeWebhooks(webhooks)] : []),
  ...hung.map(judgeHung),
];

const judgeWebhooks = ({ p99Ratio }: WebhookResult): BenchTarget => ({
  name: 'POST /vouchers.php, p99: a webhook that hangs as a multiple of none',
  wanted: `≤ ${hangingAtMost}`,
  reached: p99Ratio,
  met: p99Ratio <= hangingAtMost,
});

const judgeHung = ({ title, p99Ratio }: HungResult): BenchTarget => ({
  name: `${title}, p99: beside a hung controller as a multiple of without`,
  wanted: `≤ ${hungAtMost}`,
  reached: p99Ratio,
  met: p99Ratio <= hungAtMost,
});

const judgeRequest = (
  { request: name, of, atLeast }: RequestTarget,
  requests: readonly RequestResult[],
): BenchTarget[] => {
  const result = requests.find((request) => request.name === name);
  if (!result) return [];
  const other = of === 'toLimit' ? 'the limit' : 'the conventional way';
  const reached = result[of];
  return [
    { name: `${result.title}: ratio to ${other}`, wanted: `≥ ${atLeast}`, reached, met: reached >= atLeast },
  ];
};

const judgeLists = (lists: readonly ListResult[]): BenchTarget[] => {
  const smallest = lists[0];
  const largest = lists.at(-1);
  if (!smallest || !largest || smallest === largest) return [];
  const judged = (what: string, reached: number): BenchTarget => ({
    name: `list, ${what}: ${largest.vouchers} vouchers as a multiple of ${smallest.vouchers}`,
    wanted: `≤ ${largestListAtMost}`,
    reached,
    met: reached <= largestListAtMost,
  });
  return [judged('kept', largest.keptRatio), judged('rebuilt', largest.rebuiltRatio)];
};
