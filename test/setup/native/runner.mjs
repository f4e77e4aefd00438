// A runner for jest that imports test files as Node does. Jest's own gives each file a copy of every module: loading
// and compiling them again for 300 files costs more than all tests together. The package jest-light-runner is made for the
// same, but does not fit: its current version needs Node 22; it runs tests without jest-circus, so a test that hangs is never
// ended, a test runs even though its beforeEach failed, and `expect.assertions` is not judged; `@jest/globals` can't be imported, and
// fake timers take no options and have no async methods. Hooks for TypeScript and coverage would be ours in any case.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';
import { formatCosts, listCosts } from '../../../scripts/tasks/processorTime.mjs';

/** Beside what the workers keep. */
const costFile = 'node_modules/.cache/voucherd/testCosts.txt';

const workerFile = fileURLToPath(new URL('worker.mjs', import.meta.url));
const register = new URL('register.mjs', import.meta.url).href;

export default class NativeRunner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers, testNamePattern, collectCoverage } = this.globalConfig;
    const numWorkers = Math.min(maxWorkers, tests.length);
    const pool = new Worker(workerFile, {
      exposedMethods: ['runFile', 'readCounts', 'endShared'],
      numWorkers,
      maxRetries: 0,
      forkOptions: {
        stdio: 'pipe',
        env: { ...process.env, COVERAGE: String(collectCoverage) },
        execArgv: ['--import', register, '--disable-warning=ExperimentalWarning'],
      },
    });
    pool.getStdout()?.pipe(process.stdout);
    pool.getStderr()?.pipe(process.stderr);
    /** Called when all workers are idle, so that each of them answers once. */
    const askAll = (method) => Promise.all(Array.from({ length: numWorkers }, () => pool[method]()));
    const readCoverage = async () => {
      // Loaded only now: most runs do not need it.
      const { toCoverageMap } = await import('./coverage.mjs');
      return toCoverageMap(await askAll('readCounts'));
    };
    const costs = [];
    const waiting = [...tests];
    let left = tests.length;
    const runNext = async () => {
      for (let test = waiting.shift(); test && !watcher.isInterrupted(); test = waiting.shift()) {
        await onStart(test);
        const { rootDir, testTimeout } = test.context.config;
        try {
          const result = await pool.runFile(test.path, { rootDir, testTimeout, testNamePattern });
          left -= 1;
          costs.push({ path: relative(rootDir, test.path), seconds: result.processorSeconds });
          if (collectCoverage && left === 0) result.coverage = await readCoverage();
          await onResult(test, result);
        } catch (error) {
          await onFailure(test, error);
        }
      }
    };
    await Promise.all(Array.from({ length: numWorkers }, runNext));
    // A worker that has crashed has nothing left to end.
    await askAll('endShared').catch(() => undefined);
    await pool.end();
    if (costs.length > 1) {
      writeFileSync(new URL(`../../../${costFile}`, import.meta.url), listCosts(costs));
      console.log(formatCosts(costs, costFile));
    }
  }
}
