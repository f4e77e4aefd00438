// `npm run contract`: the contract run of tools/contract with the scenarios of voucherd.
import { constants } from 'node:os';
import { runContractProgram } from '../tools/contract/src/program.js';
import type { Stage } from '../tools/contract/src/stage.js';
import type { StageName } from '../tools/contract/src/options.js';
import { servedContracts } from '../test/scenarios/servedContracts.js';
import { startTarget } from '../test/scenarios/startTarget.js';

/** Each stage is loaded when it is to run: the packages that some of them need take a second. */
const loaders: Readonly<Record<StageName, () => Promise<Stage>>> = {
  lint: async () => (await import('../tools/contract/src/lint/lint.js')).lint,
  types: async () => (await import('../tools/contract/src/types/types.js')).types,
  breaking: async () => (await import('../tools/contract/src/breaking/breaking.js')).breaking,
  examples: async () => (await import('../tools/contract/src/examples/examples.js')).examples,
  conformance: async () => (await import('../tools/contract/src/conformance/conformance.js')).conformance,
  generated: async () => (await import('../tools/contract/src/generated/generated.js')).generated,
  security: async () => (await import('../tools/contract/src/security/security.js')).security,
};

/** The stages with these names, in the same order. */
const loadStages = (names: readonly StageName[]): Promise<Stage[]> =>
  Promise.all(names.map((name) => loaders[name]()));

/** A service that was started for the run ends with it, however it ends. */
const closeOnSignal = (close: () => Promise<void>): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
};

process.exitCode = await runContractProgram({
  served: servedContracts,
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
