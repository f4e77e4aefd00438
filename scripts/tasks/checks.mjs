import { measureProcessorTime } from './processorTime.mjs';
import { runShown, seconds, StepFailed, tool } from './run.mjs';

/** Measures the whole run, from its beginning. */
export const meter = measureProcessorTime();

/** A step that runs a program; the remedy is what to do when it fails. */
export const program =
  ([command, args], remedy, env) =>
  async () => {
    const status = await runShown(command, args, env);
    if (status !== 0) throw new StepFailed(remedy ?? `status ${status}, see above`);
  };

/** What can be checked without running anything of ours. */
export const checks = {
  contract: program([process.execPath, ['scripts/lintContract.mjs']]),
  'generated types': program([process.execPath, ['scripts/generate.mjs', '--check']]),
  format: program(tool('oxfmt/bin/oxfmt', '--check'), 'npm run format'),
  lint: program(tool('oxlint/bin/oxlint')),
  types: program(tool('typescript-native/bin/tsc', '--noEmit')),
  'types of the pages': program(tool('typescript-native/bin/tsc', '--noEmit', '-p', 'web')),
};

/** Runs a step. */
const run = async (name, step) => {
  const started = Date.now();
  console.log(`── ${name}`);
  try {
    await step();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    throw new StepFailed(`✗ ${name} failed after ${seconds(started)}: ${error.message}`);
  }
  console.log(`✓ ${name}: ${seconds(started)}`);
};

const withCost = async (what, work) => {
  const before = meter.read();
  await work();
  console.log(`  ${what}: ${(meter.read() - before).toFixed(0)} s of processor time`);
};

/** One after the other; the first that fails is the last. */
export const inOrder = async (steps) => {
  for (const [name, step] of Object.entries(steps)) await withCost(name, () => run(name, step));
};

/** All of them to their end, so that one run tells everything; then the first that failed counts. */
export const sideBySide = (steps) =>
  withCost('these checks together', async () => {
    const ended = await Promise.allSettled(Object.entries(steps).map(([name, step]) => run(name, step)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  });
