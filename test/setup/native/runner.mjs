// A runner for jest that imports test files as Node does. Jest's own gives each file a copy of every module: loading
// and compiling them again for 250 files costs more than all tests together. Coverage needs jest's own runner.
import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';

const workerFile = fileURLToPath(new URL('worker.mjs', import.meta.url));
const register = new URL('register.mjs', import.meta.url).href;

export default class NativeRunner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers, testNamePattern } = this.globalConfig;
    const numWorkers = Math.min(maxWorkers, tests.length);
    const pool = new Worker(workerFile, {
      exposedMethods: ['runFile'],
      numWorkers,
      maxRetries: 0,
      forkOptions: {
        stdio: 'pipe',
        execArgv: ['--import', register, '--disable-warning=ExperimentalWarning'],
      },
    });
    pool.getStdout()?.pipe(process.stdout);
    pool.getStderr()?.pipe(process.stderr);
    const waiting = [...tests];
    const runNext = async () => {
      for (let test = waiting.shift(); test && !watcher.isInterrupted(); test = waiting.shift()) {
        await onStart(test);
        const { rootDir, testTimeout } = test.context.config;
        try {
          await onResult(test, await pool.runFile(test.path, { rootDir, testTimeout, testNamePattern }));
        } catch (error) {
          await onFailure(test, error);
        }
      }
    };
    await Promise.all(Array.from({ length: numWorkers }, runNext));
    await pool.end();
  }
}
