import type { Command } from 'commander';
import { readConfig } from '../config.js';
import type { Contract } from '../contract/contract.js';
import { contractFile } from '../contract/contractFile.js';
import { openLog } from '../log.js';
import type { Io } from './io.js';
import { stopOnce, untilSignal, type Signals } from './signals.js';

export const addMockCommand = (program: Command, io: Io, signals: Signals = process): void => {
  program
    .command('mock')
    .description('Answer every operation from the examples of the contract: no database, no key')
    .option('--contract <file>', 'another contract than the one that comes with the program')
    .option('--json', 'print the address as JSON when it listens, and nothing else')
    .action(async (options: { contract?: string; json?: boolean }) => {
      const config = readConfig(io.env);
      const { log, end } = openLog(config.logLevel);
      try {
        // Loaded only here: the other commands answer sooner without it.
        const { startMock } = await import('./mockServer.js');
        const { contract, url, stop } = await startMock(options.contract ?? contractFile, config, log);
        io.out(options.json ? `${JSON.stringify({ url })}\n` : whatToTry(contract, url + config.basePath));
        await untilSignal(signals);
        await stopOnce(stop, signals, {
          deadlineMs: config.stopDeadlineMs,
          late: () => log.error('not stopped in time: ended with what is in flight'),
        });
      } finally {
        end();
      }
    });
};

const whatToTry = ({ operations, resolved }: Contract, base: string): string => {
  const all = [...operations.values()].map(({ id, place: [, path, method], written }) => ({
    request: `${String(method).toUpperCase().padEnd(6)} ${base}${String(path)}`,
    answers: `${id}: ${Object.keys(written.responses).join(' ')}`,
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
