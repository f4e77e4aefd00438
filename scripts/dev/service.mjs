import cluster from 'node:cluster';
import { once } from 'node:events';
import { nodeFlags } from '../tasks/program.mjs';
import { root } from '../tasks/run.mjs';
import { say } from './show.mjs';

/** The next message of a worker; nothing when it ends first. */
const hear = async (worker) => {
  const heard = new AbortController();
  const { signal } = heard;
  const gone = once(worker, 'exit', { signal }).then(() => [{}]);
  const [message] = await Promise.race([once(worker, 'message', { signal }), gone]);
  heard.abort();
  return message;
};

/**
 * The service as a worker of this process, which holds the port: the next build starts beside the last one and takes
 * over when it listens, so that no connection is refused. It is told over the workers' channel what to load.
 */
export const makeService = (program, args) => {
  let current;
  let demo = '--demo';

  const end = async (worker) => {
    if (!worker || worker.isDead()) return;
    const gone = once(worker, 'exit');
    worker.process.kill('SIGTERM');
    await gone;
  };

  return {
    isRunning: () => current !== undefined,
    /**
     * Starts the program, and resolves with the operations without a handler, or with what is wrong. The one before goes on
     * until then, for good if this one does not start.
     */
    start: async () => {
      cluster.setupPrimary({
        exec: program,
        execArgv: [...process.execArgv, '--enable-source-maps', ...nodeFlags],
        cwd: root,
        args: ['serve', '--mock-missing', demo, ...args],
      });
      const next = cluster.fork({ NODE_ENV: 'development' });
      const answer = await hear(next);
      if (!answer.mocked) return answer;
      // The key of the first start stays valid while one build follows another.
      demo = '--continue-demo';
      const last = current;
      current = next;
      next.once('exit', (code, signal) => {
        if (current !== next) return;
        current = undefined;
        say(`the service ended with ${signal ?? `status ${code}`}; it starts again after the next change.`);
      });
      await end(last);
      return answer;
    },
    /** Has the contract loaded again: resolves with what changed or what is wrong; undefined when nothing runs. */
    reload: async () => {
      current?.send({ reload: true, id: 0 });
      return current && hear(current);
    },
    stop: () => {
      const last = current;
      current = undefined;
      return end(last);
    },
  };
};
