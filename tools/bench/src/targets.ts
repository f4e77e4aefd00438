import type { HungResult } from './hungController.js';
import type { ListResult } from './lists.js';
import type { MemoryResult } from './memory.js';
import type { RequestResult } from './results.js';
import type { StartupResult } from './startup.js';
import type { WebhookResult } from './webhooks.js';

/** A promise that the benchmark holds voucherd to. */
export interface BenchTarget {
  readonly name: string;
  readonly wanted: string;
  /** What would be as good as it gets. */
  readonly aim: string | undefined;
  readonly reached: number;
  readonly met: boolean;
}

/** What is to be reached, and what would be as good as it gets. */
interface Bounds {
  readonly must: number;
  readonly aim?: number;
}

interface RequestTarget extends Bounds {
  readonly request: RequestResult['name'];
  readonly of: 'toLimit' | 'toConventional';
}

const requestTargets: readonly RequestTarget[] = [
  { request: 'sites', of: 'toLimit', must: 0.6, aim: 0.8 },
  { request: 'sites', of: 'toConventional', must: 3 },
  { request: 'vouchers', of: 'toLimit', must: 0.6, aim: 0.8 },
  { request: 'vouchers', of: 'toConventional', must: 15 },
  { request: 'limited', of: 'toLimit', must: 0.55, aim: 0.75 },
  { request: 'crowd', of: 'toLimit', must: 0.5, aim: 0.8 },
];

/** The list with the most vouchers, as a multiple of the list with the fewest. */
const largestList: Bounds = { must: 1.1, aim: 1 };

/** The p99 of creations with a webhook that hangs, as a multiple of that with none. */
const hanging: Bounds = { must: 1.2 };

/** The p99 beside orders that run into a hung controller, as a multiple of that without. */
const hungBeside: Bounds = { must: 1.5 };

/** What was measured. What was not is left out. */
export interface Measured {
  readonly requests: readonly RequestResult[];
  readonly lists: readonly ListResult[];
  readonly webhooks: WebhookResult | undefined;
  readonly hung: readonly HungResult[];
  readonly startup: StartupResult | undefined;
  readonly memory: MemoryResult | undefined;
}

const atLeast = (name: string, reached: number, { must, aim }: Bounds): BenchTarget => ({
  name,
  wanted: `≥ ${must}`,
  aim: aim === undefined ? undefined : String(aim),
  reached,
  met: reached >= must,
});

const atMost = (name: string, reached: number, { must, aim }: Bounds): BenchTarget => ({
  name,
  wanted: `≤ ${must}`,
  aim: aim === undefined ? undefined : String(aim),
  reached,
  met: reached <= must,
});

/** Compares what was measured with what was promised. */
export const judgeTargets = (measured: Measured): BenchTarget[] => [
  ...requestTargets.flatMap((target) => judgeRequest(target, measured.requests)),
  ...judgeLists(measured.lists),
  ...(measured.webhooks ? [judgeWebhooks(measured.webhooks)] : []),
  ...measured.hung.map(judgeHung),
  ...(measured.startup ? judgeStartup(measured.startup) : []),
  ...(measured.memory ? judgeMemory(measured.memory) : []),
];

const judgeWebhooks = ({ p99Ratio }: WebhookResult): BenchTarget =>
  atMost('POST /vouchers.php, p99: a webhook that hangs as a multiple of none', p99Ratio, hanging);

const judgeHung = ({ title, p99Ratio }: HungResult): BenchTarget =>
  atMost(`${title}, p99: beside a hung controller as a multiple of without`, p99Ratio, hungBeside);

const judgeStartup = ({ startRatio, helpRatio }: StartupResult): BenchTarget[] => [
  atMost('start to the first answer, as a multiple of bare node', startRatio, { must: 8, aim: 5 }),
  atMost('voucherd --help, as a multiple of node -e 0', helpRatio, { must: 2, aim: 1.5 }),
];

const judgeMemory = ({ idleMb, loadedMb }: MemoryResult): BenchTarget[] => [
  atMost('resident memory when idle, MiB', idleMb, { must: 80, aim: 60 }),
  atMost('resident memory after load, MiB', loadedMb, { must: 140, aim: 110 }),
];

const judgeRequest = (
  { request: name, of, ...bounds }: RequestTarget,
  requests: readonly RequestResult[],
): BenchTarget[] => {
  const result = requests.find((request) => request.name === name);
  if (!result) return [];
  const other = of === 'toLimit' ? 'the limit' : 'the conventional way';
  return [atLeast(`${result.title}: ratio to ${other}`, result[of], bounds)];
};

const judgeLists = (lists: readonly ListResult[]): BenchTarget[] => {
  const smallest = lists[0];
  const largest = lists.at(-1);
  if (!smallest || !largest || smallest === largest) return [];
  const judged = (what: string, reached: number): BenchTarget =>
    atMost(
      `list, ${what}: ${largest.vouchers} vouchers as a multiple of ${smallest.vouchers}`,
      reached,
      largestList,
    );
  return [judged('kept', largest.keptRatio), judged('rebuilt', largest.rebuiltRatio)];
};
