import type { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { Contract } from '../../contract/contract.js';
import { openLog } from '../../lib/log.js';
import type { Io } from '../io.js';
import { stopGracefully, waitForSignal, type Signals } from '../signals.js';

/** Adds the options of `mock`, which serves the examples of a contract. */
export const addMockCommand = (mock: Command, io: Io, signals: Signals = process): void => {
  mock
    .option('--contract <file>', 'another contract than the one that comes with the program')
    .option('--json', 'print the address as JSON when it listens, and nothing else')
    .action(async (options: { contract?: string; json?: boolean }) => {
      const config = readConfig(io.env);
      const { log, end } = openLog(config.logLevel);
      try {
        const { startMockServer } = await import('./mockServer.js');
        const { contract, url, stop } = await startMockServer(options.contract, config, log);
        io.out(
          options.json ? `${JSON.stringify({ url })}\n` : formatIntroduction(contract, url + config.basePath),
        );
        await waitForSignal(signals);
        await stopGracefully(stop, signals, {
          deadlineMs: config.stopDeadlineMs,
          onDeadline: () => log.error('shutdown deadline exceeded: exiting with requests in flight'),
        });
      } finally {
        end();
      }
    });
};

const formatIntroduction = ({ operations, resolved }: Contract, base: string): string => {
  const all = [...operations.values()].map(({ id, location: [, path, method], definition }) => ({
    request: `${String(method).toUpperCase().padEnd(6)} ${base}${String(path)}`,
    answers: `${id}: ${Object.keys(definition.responses).join(' ')}`,
  }));
  const width = Math.max(0, ...all.map(({ request }) => request.length));
  const lines = all.map(({ request, answers }) => `  ${request.padEnd(width)}  ${answers}\n`);
  return `
${resolved.info.title}, mocked: every answer is an example of the contract. No key is needed.

${lines.join('')}
Prefer chooses the status, or an example by its name: -H 'Prefer: code=404', -H 'Prefer: example=name'
Stop with Ctrl-C.

`;
};
