import { constants } from 'node:os';
import { runContractProgram } from './program.js';
import { loadStages } from './stages.js';
import { startTarget } from './target/startTarget.js';

/** A service that was started for the run ends with it, however it ends. */
const closeOnSignal = (close: () => Promise<void>): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
};

process.exitCode = await runContractProgram({
  args: process.argv.slice(2),
  env: process.env,
  screen: {
    isTerminal: process.stdout.isTTY && !process.env['CI'],
    columns: process.stdout.columns,
    write: (text) => process.stdout.write(text),
  },
  complain: (line) => console.error(line),
  now: Date.now,
  loadStages,
  startTarget,
  onInterrupt: closeOnSignal,
});
