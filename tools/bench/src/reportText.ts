import { formatNumericTable } from '../../../scripts/lib/textTable.js';
import type { BenchReport } from './bench.js';
import type { HungResult } from './hungController.js';
import type { ListResult } from './lists.js';
import type { MemoryResult } from './memory.js';
import type { ContestantResult, RequestResult } from './results.js';
import type { StartupResult } from './startup.js';
import type { BenchTarget } from './targets.js';
import type { WebhookFigures, WebhookResult } from './webhooks.js';

/** The report for people. */
export const formatReport = (report: BenchReport): string => {
  const { machine, rounds, seconds, requests, lists, webhooks, hung, startup, memory, targets, faults } =
    report;
  const head =
    `node ${machine.node}, ${machine.database}, ${machine.cpus} CPUs, ${machine.generator}, ` +
    `median of ${rounds} rounds of ${seconds} s. Only ratios within one run mean something.`;
  return [
    head,
    ...(machine.generator === 'autocannon' ? [autocannonNote] : []),
    ...(requests.length > 0 ? [requestTable(requests)] : []),
    ...(lists.length > 0 ? [listTable(lists)] : []),
    ...(webhooks ? [webhookTable(webhooks)] : []),
    ...(hung.length > 0 ? [hungTable(hung)] : []),
    ...(startup ? [startupLine(startup)] : []),
    ...(memory ? [memoryLine(memory)] : []),
    ...(targets.length > 0 ? [targetTable(targets)] : []),
    ...(faults.length > 0 ? [`INVALID:\n${faults.map((fault) => `  ${fault}`).join('\n')}`] : []),
    formatVerdict(report),
  ].join('\n\n');
};

/** How many targets were met, and whether that means anything. */
export const formatVerdict = ({ targets, faults }: Pick<BenchReport, 'targets' | 'faults'>): string =>
  `${targets.filter(({ met }) => met).length} of ${targets.length} targets met` +
  (faults.length > 0 ? ', but the figures are invalid' : '');

const autocannonNote =
  'autocannon may be slower than what it measures: ratios to the limit then look better than they are. ' +
  'Install wrk for figures that count.';

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const requestTable = (requests: readonly RequestResult[]): string =>
  formatNumericTable([
    ['request', 'per second', 'p50 ms', 'p99 ms', 'CPU µs', 'MiB', 'of limit', 'by CPU', 'of conventional'],
    ...requests.flatMap((request) => [
      [request.title],
      ...request.contestants.map((contestant) => contestantRow(request, contestant)),
    ]),
  ]);

const labels = { voucherd: 'voucherd', limit: 'the limit', conventional: 'the conventional way' };

const contestantRow = (
  { toLimit, cpuToLimit, toConventional }: RequestResult,
  { name, requestsPerSecond, p50Ms, p99Ms, cpuUs, memoryMb }: ContestantResult,
): string[] => [
  `  ${labels[name]}`,
  whole(requestsPerSecond),
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
  cpuUs === 0 ? '' : whole(cpuUs),
  whole(memoryMb),
  ...(name === 'voucherd'
    ? [toLimit.toFixed(2), cpuUs === 0 ? '' : cpuToLimit.toFixed(2), toConventional.toFixed(1)]
    : []),
];

const listTable = (lists: readonly ListResult[]): string =>
  formatNumericTable([
    ['list of 200, vouchers in the table', 'kept µs', 'ratio', 'rebuilt µs', 'ratio'],
    ...lists.map(({ vouchers, keptUs, keptRatio, rebuiltUs, rebuiltRatio }) => [
      whole(vouchers),
      keptUs.toFixed(1),
      keptRatio.toFixed(2),
      rebuiltUs.toFixed(0),
      rebuiltRatio.toFixed(2),
    ]),
  ]);

const webhookTable = ({ withHanging, withNone, p99Ratio }: WebhookResult): string => {
  const row = (name: string, { requestsPerSecond, p50Ms, p99Ms }: WebhookFigures): string[] => [
    name,
    whole(requestsPerSecond),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ];
  return formatNumericTable([
    ['POST /vouchers.php', 'per second', 'p50 ms', 'p99 ms', 'ratio'],
    row('no webhook', withNone),
    [...row('a webhook that hangs', withHanging), p99Ratio.toFixed(2)],
  ]);
};

const hungTable = (hung: readonly HungResult[]): string =>
  formatNumericTable([
    ['while another site’s controller hangs', 'p99 ms', 'without', 'ratio'],
    ...hung.map(({ title, withHungP99Ms, withoutP99Ms, p99Ratio }) => [
      title,
      withHungP99Ms.toFixed(2),
      withoutP99Ms.toFixed(2),
      p99Ratio.toFixed(2),
    ]),
  ]);

const startupLine = ({ voucherdMs, bareMs, helpMs, emptyMs }: StartupResult): string =>
  `start-up, to the first answer: voucherd ${whole(voucherdMs)} ms, bare node ${whole(bareMs)} ms; ` +
  `voucherd --help ${whole(helpMs)} ms, node -e 0 ${whole(emptyMs)} ms`;

const memoryLine = ({ idleMb, loadedMb }: MemoryResult): string =>
  `resident memory: ${whole(idleMb)} MiB idle, ${whole(loadedMb)} MiB after load`;

const targetTable = (targets: readonly BenchTarget[]): string =>
  formatNumericTable([
    ['target', 'must', 'aim', 'reached', ''],
    ...targets.map(({ name, wanted, aim = '', reached, met }) => [
      name,
      wanted,
      aim,
      reached.toFixed(2),
      met ? 'met' : 'MISSED',
    ]),
  ]);
