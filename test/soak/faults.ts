// Orders while a console fails, for every kind of fault: the answers, their times, what is recorded.
import { formatTable } from '../../scripts/lib/textTable.js';
import { isConsistent, isInTime, runFaultMatrix, type FaultOutcome } from './faults/matrix.js';

// What happens to orders when a console fails, for every kind of fault: real HTTPS, a real database, the reconciler at work.

const heading = [
  'the console',
  'adapter',
  'met',
  'answers',
  'slowest',
  'made',
  'recorded',
  'differ',
  'twice',
  '',
];

const verdict = (outcome: FaultOutcome): string => {
  if (!isConsistent(outcome))
    return `WRONG${outcome.openIntents > 0 ? `, ${String(outcome.openIntents)} open` : ''}`;
  return isInTime(outcome) ? 'ok' : 'TOO SLOW';
};

const rowOf = (outcome: FaultOutcome): string[] => [
  outcome.trial,
  outcome.adapter,
  `${String(outcome.met)} of ${String(outcome.orders)}`,
  Object.entries(outcome.statuses)
    .map(([status, count]) => `${String(count)} × ${status}`)
    .join(', '),
  `${(outcome.slowestMs / 1000).toFixed(2)} s`,
  String(outcome.made),
  String(outcome.recorded),
  String(outcome.disagree),
  String(outcome.twice),
  verdict(outcome),
];

const outcomes = await runFaultMatrix();
console.log(`${formatTable([heading, ...outcomes.map(rowOf)])}\n`);
const wrong = outcomes.filter((outcome) => verdict(outcome) !== 'ok').length;
console.log(
  wrong === 0
    ? `all ${String(outcomes.length)} right`
    : `${String(wrong)} of ${String(outcomes.length)} wrong`,
);
process.exitCode = wrong === 0 ? 0 : 1;
