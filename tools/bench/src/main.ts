import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bench, type BenchReport } from './bench.js';
import { BenchUsageError, readBenchOptions, usage, type BenchOptions } from './options.js';
import { formatReport, formatVerdict } from './reportText.js';
import { makeWorkspace } from './workspace.js';

const say = (text: string): void => {
  process.stderr.write(`bench: ${text}\n`);
};

/** Resolves when all of it is out: this process ends by `exit`, which waits for nothing. */
const write = (text: string): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });

const statusOf = ({ faults, targets }: BenchReport, { enforce }: BenchOptions): number => {
  const missed = targets.filter(({ met }) => !met);
  for (const fault of faults) say(`invalid: ${fault}`);
  for (const { name, wanted, reached } of missed)
    say(`missed: ${name}: ${reached.toFixed(2)}, wanted ${wanted}`);
  if (missed.length > 0 && !enforce) say('a quick run is not judged by its targets');
  return faults.length > 0 || (enforce && missed.length > 0) ? 1 : 0;
};

const measure = async (options: BenchOptions): Promise<number> => {
  const workspace = makeWorkspace();
  const interrupted = new Promise<number>((resolve, reject) => {
    process.once('uncaughtException', reject);
    process.once('SIGINT', () => resolve(130));
    process.once('SIGTERM', () => resolve(143));
  });
  const measured = bench(workspace, options, say).then(async (report) => {
    await write(`${options.json ? JSON.stringify(report, null, 2) : formatReport(report)}\n`);
    if (options.json) say(formatVerdict(report));
    return statusOf(report, options);
  });
  // What fails after an interruption fails because of it.
  measured.catch(() => undefined);
  try {
    return await Promise.race([measured, interrupted]);
  } finally {
    await workspace.close();
  }
};

/** Runs the benchmark with another Node, and returns its status. */
const runWith = async (node: string, args: readonly string[]): Promise<number> => {
  const child = spawn(node, args, { stdio: 'inherit' });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
};

const main = async (): Promise<number> => {
  const args = process.argv.slice(2);
  try {
    const options = readBenchOptions(args);
    // npm installs programs as links.
    const node = realpathSync(options.node ?? process.execPath);
    if (node !== realpathSync(process.execPath))
      return await runWith(node, [fileURLToPath(import.meta.url), ...args]);
    if (!options.help) return await measure(options);
    process.stdout.write(usage);
    return 0;
  } catch (error) {
    if (error instanceof BenchUsageError) process.stderr.write(`${error.message}\n\n${usage}`);
    else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
};

process.exit(await main());
