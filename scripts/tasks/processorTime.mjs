// Processor time does not grow while others use the machine, unlike the time on the clock.
import { readFileSync } from 'node:fs';

/** The unit of /proc: a hundredth of a second on every Linux of today. */
const ticksPerSecond = 100;

/** The time of processes that this one started and that have ended, with theirs; 0 where there is no /proc. */
const readChildrenSeconds = () => {
  let stat;
  try {
    stat = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return 0;
  }
  // The name of the program, in brackets, may contain anything. The time of children are fields 16 and 17 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
};

/** User and system time in seconds: of this process, and of those that it started and that have ended. */
export const readProcessorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children: readChildrenSeconds() };
};

/** The processor time since then, for people. */
export const processorSecondsSince = (before) => {
  const { own, children } = readProcessorSeconds();
  return `${(own + children - before.own - before.children).toFixed(0)} s`;
};

const shown = 10;

const total = ({ own, children }) => own + children;
const byCost = (costs) => costs.toSorted((a, b) => total(b.seconds) - total(a.seconds));
const toLine = ({ path, seconds }) => `${total(seconds).toFixed(1).padStart(7)} s  ${path}`;

/** All test files, a line each, the costliest first. */
export const listCosts = (costs) => `${byCost(costs).map(toLine).join('\n')}\n`;

/** The costliest test files, a line each, and how much all of them took. `file` has the others. */
export const formatCosts = (costs, file) => {
  const sum = costs.reduce((all, { seconds }) => all + total(seconds), 0);
  return [
    `Processor time of ${costs.length} test files: ${sum.toFixed(0)} s. The costliest, with what they start:`,
    ...byCost(costs).slice(0, shown).map(toLine),
    `All of them: ${file}`,
  ].join('\n');
};
