import cluster from 'node:cluster';
import { once } from 'node:events';
import { nodeFlags } from '../tasks/program.mjs';
import { root } from '../tasks/run.mjs';
import { say } from './show.mjs';

/**
 * The service as a worker of this process, which holds the port: the next build starts beside the last one and takes
 * over when it listens, so that no connection is refused. It is told over the workers' channel what to load.
 */
export const makeService = (args, onRefused) => {
  let current;
  let lastId = 0;
  let demo = '--demo';

  const serve = () => {
    cluster.setupPrimary({
      exec: `${root}scripts/dev/compiledProgram.mjs`,
      execArgv: [...process.execArgv, ...nodeFlags],
      cwd: root,
      args: ['serve', '--mock-missing', demo, ...args],
    });
    return cluster.fork({ NODE_ENV: 'development' });
  };

  /** Resolves with the operations without a handler when it has come up, else with undefined. */
  const comingUp = (worker) =>
    new Promise((resolve) => {
      worker.on('message', ({ following, mocked, refused, id, ...rest }) => {
        if (following) resolve(mocked);
        else if (refused !== undefined && id === undefined) onRefused({ refused, ...rest });
      });
      worker.once('exit', () => resolve(undefined));
    });

  const watchEnd = (worker) => {
    worker.once('exit', (code, signal) => {
      if (current !== worker) return;
      current = undefined;
      say(`the service ended with ${signal ?? `status ${code}`}; it starts again after the next change.`);
    });
  };

  const end = async (worker) => {
    if (!worker || worker.isDead()) return;
    const gone = once(worker, 'exit');
    worker.process.kill('SIGTERM');
    await gone;
  };

  return {
    isRunning: () => current !== undefined,
    /**
     * Starts the build that there is now, and resolves with its operations without a handler. The one before goes on until
     * then, for good if it does not start: then with undefined.
     */
    start: async () => {
      const next = serve();
      const mocked = await comingUp(next);
      if (!mocked) return undefined;
      // The key of the first start stays valid while one build follows another.
      demo = '--continue-demo';
      const last = current;
      current = next;
      watchEnd(next);
      await end(last);
      return mocked;
    },
    /** Resolves with what changed, or with what is wrong; undefined when the service is gone. */
    reload: (worker = current) =>
      new Promise((resolve) => {
        if (!worker) return resolve(undefined);
        const id = ++lastId;
        const hear = (answer) => {
          if (answer.id === id) done(answer);
        };
        const gone = () => done(undefined);
        const done = (answer) => {
          worker.off('message', hear).off('exit', gone);
          resolve(answer);
        };
        worker.on('message', hear).once('exit', gone);
        worker.send({ reload: true, id });
      }),
    stop: async () => {
      const last = current;
      current = undefined;
      await end(last);
    },
  };
};
