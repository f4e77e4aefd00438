// `npm run contract`: the contract run of tools/contract with the scenarios of voucherd.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../src/lib/packageRoot.js';
import { runContractProgram } from '../tools/contract/src/program.js';
import type { Stage } from '../tools/contract/src/stage.js';
import type { StageName } from '../tools/contract/src/options.js';
import { thirdPartyLoaders } from '../tools/contract/src/stages.js';
import { servedContracts } from '../test/scenarios/servedContracts.js';
import { startTarget } from '../test/scenarios/startTarget.js';
import { closeOnSignal } from './lib/closeOnSignal.js';

/** A script, and no part of what is built. */
const { measureProcessorTime } = (await import(
  pathToFileURL(join(packageRoot, 'scripts/tasks/processorTime.mjs')).href
)) as { measureProcessorTime: () => { read: () => number } };
const meter = measureProcessorTime();

const loaders: Readonly<Record<StageName, () => Promise<Stage>>> = {
  lint: async () => (await import('../tools/contract/src/lint/lint.js')).lint,
  types: async () => (await import('../tools/contract/src/types/types.js')).types,
  ...thirdPartyLoaders,
};

/** The stages with these names, in the same order. */
const loadStages = (names: readonly StageName[]): Promise<Stage[]> =>
  Promise.all(names.map((name) => loaders[name]()));

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
  processorMs: () => meter.read() * 1000,
  loadStages,
  startTarget,
  // A service that was started for the run ends with it, however it ends.
  onInterrupt: closeOnSignal,
});
