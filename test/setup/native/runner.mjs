// A runner for jest that imports test files as Node does. Jest's own gives each file a copy of every module: loading
// and compiling them again for 300 files costs more than all tests together. The package jest-light-runner is made for the
// same, but does not fit: its current version needs Node 22; it runs tests without jest-circus, so a test that hangs is never
// ended, a test runs even though its beforeEach failed, and `expect.assertions` is not judged; `@jest/globals` can't be imported, and
// fake timers take no options and have no async methods. Hooks for TypeScript and coverage would be ours in any case.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';

const workerFile = fileURLToPath(new URL('worker.mjs', import.meta.url));
const register = new URL('register.mjs', import.meta.url).href;

const shown = 10;
const signOfLifeEveryMs = 25_000;

/** The costliest files, a line each, and how much all of them took. */
const formatCosts = (costs) => {
  const sum = costs.reduce((all, [, seconds]) => all + seconds, 0);
  const costliest = costs.toSorted(([, a], [, b]) => b - a).slice(0, shown);
  return [
    `Processor time of ${costs.length} test files: ${sum.toFixed(0)} s. The costliest, with what they start:`,
    ...costliest.map(([path, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${path}`),
  ].join('\n');
};

/** With TEST_RESULTS, what the files took and how many tests they had is written there; with COVERAGE, the lines that ran. */
export default class NativeRunner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers, testNamePattern } = this.globalConfig;
    const { TEST_RESULTS: resultsFile, COVERAGE: coverageFile } = process.env;
    const numWorkers = Math.min(maxWorkers, tests.length);
    const pool = new Worker(workerFile, {
      exposedMethods: ['runFile', 'readCounts', 'endShared'],
      numWorkers,
      maxRetries: 0,
      forkOptions: {
        stdio: 'pipe',
        execArgv: ['--import', register, '--disable-warning=ExperimentalWarning'],
      },
    });
    pool.getStdout()?.pipe(process.stdout);
    pool.getStderr()?.pipe(process.stderr);
    /** Called when all workers are idle, so that each of them answers once. */
    const askAll = (method) => Promise.all(Array.from({ length: numWorkers }, () => pool[method]()));
    const costs = [];
    const numbers = { passed: 0, failed: 0, skipped: 0 };
    const note = (path, result) => {
      costs.push([path, result.processorSeconds]);
      numbers.passed += result.numPassingTests;
      numbers.failed += result.numFailingTests;
      numbers.skipped += result.numPendingTests;
    };
    const signOfLife = setInterval(
      () => console.log(`… ${costs.length} of ${tests.length} test files are done`),
      signOfLifeEveryMs,
    );
    const waiting = [...tests];
    const runNext = async () => {
      for (let test = waiting.shift(); test && !watcher.isInterrupted(); test = waiting.shift()) {
        await onStart(test);
        const { rootDir, testTimeout } = test.context.config;
        try {
          const result = await pool.runFile(test.path, { rootDir, testTimeout, testNamePattern });
          note(relative(rootDir, test.path), result);
          await onResult(test, result);
        } catch (error) {
          await onFailure(test, error);
        }
      }
    };
    await Promise.all(Array.from({ length: numWorkers }, runNext));
    clearInterval(signOfLife);
    if (coverageFile) {
      // Loaded only now: most runs do not need it.
      const { toCoverageMap } = await import('../../../scripts/tasks/coverage.mjs');
      writeFileSync(coverageFile, JSON.stringify(toCoverageMap(await askAll('readCounts'))));
    }
    // A worker that has crashed has nothing left to end.
    await askAll('endShared').catch(() => undefined);
    await pool.end();
    if (resultsFile)
      writeFileSync(resultsFile, JSON.stringify({ ...numbers, files: Object.fromEntries(costs) }));
    if (costs.length > 1) console.log(formatCosts(costs));
  }
}
