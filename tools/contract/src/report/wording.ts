import { groupBy } from '../../../../src/lib/collections.js';
import { asksService, type StageName } from '../options.js';
import { countStates } from '../coverage/coverage.js';
import {
  casesWith,
  causesIn,
  outcomeOf,
  type ContractResult,
  type FoundProblem,
  type RunResult,
  type StageResult,
} from '../run/results.js';

/** `1 case`, `31 cases` */
export const countOf = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `0.8 s`, `2 min 5 s` */
export const formatDuration = (ms: number): string => {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** What a run looked at: `openapi.yaml 1.0.0 and a service started for this run`, or the contract alone. */
export const subject = (
  { file, version }: Pick<ContractResult, 'file' | 'version'>,
  url: string | undefined,
  stages: readonly StageName[],
): string => {
  const service = stages.some(asksService) ? ['and', url ?? 'a service started for this run'] : [];
  return [file, version, ...service].filter((part) => part !== '').join(' ');
};

/** A problem in plain lines: what, where, how to repeat it. */
export const problemText = ({ what, at, line, curl, seed }: FoundProblem): string =>
  [what, at, line && `  ${line}`, curl, seed === undefined ? undefined : `seed ${seed}`]
    .filter((part) => part !== undefined)
    .join('\n');

/** How long something took, and with how much work, where that is known. */
export const formatTimes = ({
  durationMs,
  processorMs,
}: Pick<RunResult, 'durationMs' | 'processorMs'>): string =>
  formatDuration(durationMs) +
  (processorMs === undefined ? '' : `, with ${formatDuration(processorMs)} of processor time`);

/** What came out of the run, in one sentence. */
export const runVerdict = ({ contracts, ...times }: RunResult): string => {
  const stages = contracts.flatMap((contract) => contract.stages);
  const coverages = contracts.map(({ coverage }) => coverage);
  const failed = stages.filter((stage) => outcomeOf(stage) === 'failed').map(({ name }) => name);
  const causes = stages.reduce((sum, stage) => sum + causesIn(stage, 'failed').length, 0);
  const untested = coverages
    .filter(({ judged }) => judged)
    .reduce((sum, { cells }) => sum + countStates(cells).untested, 0);
  const faults = [
    ...(failed.length > 0
      ? [`${countOf(causes, 'failure')} in ${countOf(failed.length, 'stage')}: ${failed.join(', ')}`]
      : []),
    ...(untested > 0 ? [`${countOf(untested, 'part')} of the contract untested`] : []),
    ...(coverages.some(({ unknown }) => unknown.length > 0)
      ? ['the coverage names what the contract does not have']
      : []),
  ];
  const cases = stages.reduce((sum, stage) => sum + stage.cases.length, 0);
  const tried = `${countOf(cases, 'case')} in ${formatTimes(times)}`;
  return faults.length === 0
    ? `${countOf(stages.length, 'stage')}, ${tried}`
    : `${faults.join('; ')}; ${tried}`;
};

/** How many cases could not be tried, by their reasons. */
export const skipsOf = (stages: readonly StageResult[]): [reason: string, count: number][] => {
  const skipped = stages.flatMap((stage) => casesWith(stage, 'skipped'));
  const reasons = [...groupBy(skipped, ({ reason = '' }) => reason)];
  return reasons
    .map(([reason, cases]): [string, number] => [reason, cases.length])
    .sort(([, one], [, other]) => other - one);
};

/** What was done to a service that somebody else runs. */
export const remoteEffects = ({ url, sentRequests, madeVouchers, thirdParty }: RunResult): string[] => {
  if (url === undefined) return [];
  const sent = `${countOf(sentRequests, 'request')} sent to ${url}`;
  return thirdParty
    ? [`${sent}, ${madeVouchers.length} of which may have changed something there.`]
    : [
        `${sent}, ${countOf(madeVouchers.length, 'voucher')} made there.`,
        ...(madeVouchers.length > 0 ? ["The API can't revoke vouchers; a command of the service can."] : []),
      ];
};
