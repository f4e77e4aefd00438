// Runs a group of test files and keeps what it brought: costs, numbers of tests, and which lines ran.
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { groupOf } from '../../test/setup/groups.mjs';
import { followLoops, judgeCosts, recordCosts } from './budget.mjs';
import { meter } from './checks.mjs';
import { canMeasureDescendants } from './processorTime.mjs';
import { root, runShown, StepFailed } from './run.mjs';

export const resultsFolder = `${root}node_modules/.cache/voucherd/results/`;

const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** Runs jest; resolves with its status. */
export const runJest = (args, env = {}) =>
  runShown(process.execPath, [...node, 'node_modules/jest/bin/jest.js', ...args], {
    NODE_ENV: 'test',
    ...env,
  });

const testFiles = readdirSync(`${root}test`, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules/'))
  .sort();

const ungrouped = testFiles.filter((path) => groupOf(path) === undefined);

const isOfGroup = (group) => (path) => groupOf(path.replace(/^test\//, '')) === group;

const readResults = (group) => JSON.parse(readFileSync(`${resultsFolder}${group}.json`, 'utf8'));

/**
 * Runs the tests of a group. What they cost is judged with the cost of everything since `since`, in seconds of the
 * meter; returns what breaks the budget, a line each.
 */
export const runGroup = async (group, { withCoverage, record, since = meter.read() }) => {
  if (ungrouped.length > 0) throw new StepFailed(`test/groups.json has no group for test/${ungrouped[0]}`);
  mkdirSync(resultsFolder, { recursive: true });
  const endLoops = followLoops();
  const status = await runJest(['--filter', '<rootDir>/test/setup/onlyGiven.cjs'], {
    TEST_FILES: testFiles
      .filter(isOfGroup(group))
      .map((path) => `${root}test/${path}`)
      .join('\n'),
    TEST_RESULTS: `${resultsFolder}${group}.json`,
    COVERAGE: withCoverage ? `${resultsFolder}${group}.coverage.json` : '',
  });
  const loop = endLoops();
  if (status !== 0) throw new StepFailed(`status ${status}, see above`);
  const seconds = meter.read() - since;
  const { passed, failed, skipped, files } = readResults(group);
  const inLoops = Object.fromEntries(Object.entries(files).map(([path, cost]) => [path, cost / loop]));
  const costs = { group, total: seconds / loop, files: inLoops, withCoverage, isOfGroup: isOfGroup(group) };
  console.log(`${group}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  console.log(
    `${group}: ${seconds.toFixed(0)} s of processor time, ${costs.total.toFixed(0)} loops of ${loop.toFixed(2)} s`,
  );
  if (!canMeasureDescendants()) return [];
  if (record) recordCosts(costs);
  return judgeCosts(costs);
};
