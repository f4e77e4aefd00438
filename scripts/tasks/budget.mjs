// What a run of tests may cost. Seconds of processor time differ between machines and with what else they do, so a run also
// measures a fixed piece of work, a loop, and everything is counted in loops. On a small server whose cores are all at
// work a loop takes about a second.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { root } from './run.mjs';

const file = `${root}test/budget.json`;

/** What a group or a file may take, as a multiple of what the budget says. */
const room = 4 / 3;
/** Counting lines makes everything that runs in the workers dearer. */
const coverageCost = 1.25;
/** A file below this is too small to be blamed when a group has grown. */
const worthRecording = 2;

/** A loop is measured in slices, all through a run: what else the machine does changes within minutes. */
const slicesInLoop = 20;
const roundsInSlice = 17;
const sliceEveryMs = 5000;
/** On an idle machine the loop, which fits into the caches, gains more than tests do. It counts as no less than this. */
const minLoopSeconds = 0.85;

/** The seconds of a slice: objects, texts and hashes, as tests handle them. */
const measureSlice = () => {
  const before = process.cpuUsage();
  let text = 'voucher';
  for (let round = 0; round < roundsInSlice; round += 1) {
    const rows = Array.from({ length: 400 }, (_, id) => ({
      id,
      name: `${text} ${id}`,
      codes: [id, id + round],
    }));
    const read = JSON.parse(JSON.stringify(rows));
    const names = read.map(({ name }) => name.replace(/[a-f]+/g, (letters) => letters.toUpperCase()));
    text = createHash('sha256').update(names.sort().join('\n')).digest('hex');
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

/** Measures loops from now on; the function that it returns ends that, and says how many seconds one took. */
export const followLoops = () => {
  // The first ones are compiled while they run.
  for (let slice = 0; slice < 3; slice += 1) measureSlice();
  const slices = [measureSlice()];
  const timer = setInterval(() => slices.push(measureSlice()), sliceEveryMs);
  return () => {
    clearInterval(timer);
    slices.push(measureSlice());
    const seconds = (slicesInLoop * slices.reduce((sum, one) => sum + one)) / slices.length;
    return Math.max(seconds, minLoopSeconds);
  };
};

const readBudget = () => JSON.parse(readFileSync(file, 'utf8'));

const inLoops = (count) => `${count.toFixed(1)} loops`;

const dearest = (entries) => entries.toSorted(([, a], [, b]) => b - a);

/** What the costs of a group break, a line each; nothing when it keeps to its budget. */
export const judgeCosts = ({ group, total, files, withCoverage }) => {
  const { groups, largestFile, recorded } = readBudget();
  const factor = withCoverage ? coverageCost : 1;
  // A file with a limit of its own is one that still has to become lighter.
  const largestOf = (path) => (largestFile[path] ?? largestFile[group] ?? largestFile.others) * room * factor;
  const tooLarge = dearest(Object.entries(files))
    .filter(([path, cost]) => cost > largestOf(path))
    .map(([path, cost]) => `${path} takes ${inLoops(cost)} and may take ${inLoops(largestOf(path))}`);
  const limit = (groups[group] ?? Infinity) * room * factor;
  if (total <= limit) return tooLarge;
  const grown = dearest(Object.entries(files))
    .map(([path, cost]) => [path, cost - (recorded[path] ?? worthRecording) * factor])
    .filter(([, growth]) => growth > 1)
    .map(([path, growth]) => `  ${path}: ${inLoops(growth)} more than recorded`);
  return [
    ...tooLarge,
    `${group} takes ${inLoops(total)} and may take ${inLoops(limit)}. These files grew:`,
    ...grown,
  ];
};

const rounded = (cost) => Number(cost.toFixed(1));

/** Makes what a group takes now the measure of later runs. */
export const recordCosts = ({ group, total, files, isOfGroup }) => {
  const budget = readBudget();
  const others = Object.entries(budget.recorded).filter(([path]) => !isOfGroup(path));
  const own = Object.entries(files).filter(([, cost]) => cost >= worthRecording);
  const recorded = [...others, ...own].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const groups = { ...budget.groups, [group]: Math.ceil(total) };
  const whole = {
    ...budget,
    groups,
    recorded: Object.fromEntries(recorded.map(([path, cost]) => [path, rounded(cost)])),
  };
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
};
