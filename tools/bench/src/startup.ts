import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchOptions } from './options.js';
import { programArgs, startServerProcess, startVoucherd, type ServerProcess } from './processes.js';
import { median, medianRatio } from './results.js';
import type { SeededData } from './seededData.js';
import type { Workspace } from './workspace.js';

/** Milliseconds, and their ratios round by round. */
export interface StartupResult {
  /** From the start of a process to its first answer. */
  readonly voucherdMs: number;
  readonly bareMs: number;
  readonly startRatio: number;
  /** All of `voucherd --help`, and of a node process that does nothing. */
  readonly helpMs: number;
  readonly emptyMs: number;
  readonly helpRatio: number;
}

/** A node process that does nothing but answer, started and asked in the same way. */
const bareServer = `
const { createServer } = require('node:http');
const server = createServer((req, res) => res.end('{}'));
server.listen(0, '127.0.0.1', () => console.log('{"url":"http://127.0.0.1:' + server.address().port + '"}'));`;

/** Measures how long a start takes, on the seeded data and in turns with a bare node process. */
export const measureStartup = async (
  workspace: Workspace,
  data: SeededData,
  { rounds }: BenchOptions,
): Promise<StartupResult> => {
  const copy = await data.copy();
  const bareFolder = await workspace.folder();
  const voucherd: number[] = [];
  const bare: number[] = [];
  const help: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < rounds; round++) {
    voucherd.push(await startAndStop(() => startVoucherd(workspace, copy)));
    bare.push(await startAndStop(() => startServerProcess(workspace, bareFolder, ['-e', bareServer], {})));
    help.push(await runToEnd([...programArgs, '--help']));
    empty.push(await runToEnd(['-e', '0']));
  }
  return {
    voucherdMs: median(voucherd),
    bareMs: median(bare),
    startRatio: medianRatio(voucherd, bare),
    helpMs: median(help),
    emptyMs: median(empty),
    helpRatio: medianRatio(help, empty),
  };
};

const run = promisify(execFile);

const runToEnd = async (args: readonly string[]): Promise<number> => {
  const started = performance.now();
  await run(process.execPath, args);
  return performance.now() - started;
};

const startAndStop = async (start: () => Promise<ServerProcess>): Promise<number> => {
  const { startMs, stop } = await start();
  await stop();
  return startMs;
};
