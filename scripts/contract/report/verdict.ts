import { countStates } from '../coverage/coverage.js';
import { outcomeOf, type RunResult } from '../run/results.js';
import { count, duration } from './words.js';

/** What came out of the run, in one sentence. */
export const verdict = ({ stages, coverage, durationMs }: RunResult): string => {
  const cases = stages.flatMap((stage) => stage.cases);
  const failed = stages.filter((stage) => outcomeOf(stage) === 'failed').map(({ name }) => name);
  const { untested } = countStates(coverage.cells);
  const faults = [
    ...(failed.length > 0 ? [`${count(failed.length, 'stage')} failed: ${failed.join(', ')}`] : []),
    ...(coverage.judged && untested > 0 ? [`${count(untested, 'part')} of the contract untested`] : []),
    ...(coverage.unknown.length > 0 ? ['the coverage names what the contract does not have'] : []),
  ];
  const tried = `${count(cases.length, 'case')} in ${duration(durationMs)}`;
  return faults.length === 0
    ? `${count(stages.length, 'stage')}, ${tried}`
    : `${faults.join('; ')}; ${tried}`;
};
