import type { BenchOptions } from './options.js';
import { startServerProcess, startVoucherd, type ServerProcess } from './processes.js';
import { median } from './results.js';
import type { Workspace } from './workspace.js';

/** Milliseconds from the start of a process to its first answer. */
export interface StartupResult {
  readonly voucherdMs: number;
  readonly bareMs: number;
}

/** A node process that does nothing but answer, started and asked in the same way. */
const bareServer = `
const { createServer } = require('node:http');
const server = createServer((req, res) => res.end('{}'));
server.listen(0, '127.0.0.1', () => console.log('{"url":"http://127.0.0.1:' + server.address().port + '"}'));`;

/** Measures how long a start takes, on the seeded data and in turns with a bare node process. */
export const measureStartup = async (
  workspace: Workspace,
  dataFile: string,
  { rounds }: BenchOptions,
): Promise<StartupResult> => {
  const folder = await workspace.folder(dataFile);
  const bareFolder = await workspace.folder();
  const voucherd: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    voucherd.push(await startAndStop(() => startVoucherd(workspace, folder)));
    bare.push(await startAndStop(() => startServerProcess(workspace, bareFolder, ['-e', bareServer], {})));
  }
  return { voucherdMs: median(voucherd), bareMs: median(bare) };
};

const startAndStop = async (start: () => Promise<ServerProcess>): Promise<number> => {
  const { startMs, stop } = await start();
  await stop();
  return startMs;
};
