import { countStates } from '../coverage/coverage.js';
import { outcomeOf, type FoundProblem, type RunResult } from '../run/results.js';

/** `1 case`, `31 cases` */
export const countOf = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `0.8 s`, `2 min 5 s` */
export const formatDuration = (ms: number): string => {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** What a run looked at: `openapi.yaml 1.0.0 and a service started for this run`. */
export const subject = ({
  contract,
  url,
}: {
  readonly contract: { readonly file: string; readonly version: string };
  readonly url: string | undefined;
}): string =>
  [contract.file, contract.version, 'and', url ?? 'a service started for this run']
    .filter((part) => part !== '')
    .join(' ');

/** A problem in plain lines: what, where, how to repeat it. */
export const problemText = ({ what, at, line, curl, seed }: FoundProblem): string =>
  [what, at, line && `  ${line}`, curl, seed === undefined ? undefined : `seed ${seed}`]
    .filter((part) => part !== undefined)
    .join('\n');

/** What came out of the run, in one sentence. */
export const runVerdict = ({ stages, coverage, durationMs }: RunResult): string => {
  const cases = stages.flatMap((stage) => stage.cases);
  const failed = stages.filter((stage) => outcomeOf(stage) === 'failed').map(({ name }) => name);
  const { untested } = countStates(coverage.cells);
  const faults = [
    ...(failed.length > 0 ? [`${countOf(failed.length, 'stage')} failed: ${failed.join(', ')}`] : []),
    ...(coverage.judged && untested > 0 ? [`${countOf(untested, 'part')} of the contract untested`] : []),
    ...(coverage.unknown.length > 0 ? ['the coverage names what the contract does not have'] : []),
  ];
  const tried = `${countOf(cases.length, 'case')} in ${formatDuration(durationMs)}`;
  return faults.length === 0
    ? `${countOf(stages.length, 'stage')}, ${tried}`
    : `${faults.join('; ')}; ${tried}`;
};
