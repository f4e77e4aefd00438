import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { makeLog } from '../log.js';
import type { Service } from '../serve.js';
import { prepareDemo } from './demo.js';
import type { Io } from './io.js';

/** What ends a running service. A test emits the signals itself. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

export const addServeCommand = (program: Command, io: Io, signals: Signals = process): void => {
  program
    .command('serve')
    .description('Start the service. Settings come from the environment: see docs/operate.md')
    .option('--demo', 'add a simulated controller, two sites and a fresh key, and say what to try')
    .option('--json', 'print the address as JSON when it listens')
    .action(async (options: { demo?: boolean; json?: boolean }) => {
      const config = readConfig(io.env);
      const log = makeLog(config.logLevel);
      // Loaded only here: the other commands answer sooner without the whole service.
      const { serve } = await import('../serve.js');
      const service = await serve({ config, log });
      try {
        if (options.json) io.out(`${JSON.stringify({ url: service.url })}\n`);
        log.info({ url: service.url + config.basePath }, 'listening');
        if (options.demo) io.out(await prepareDemo(service, config.basePath));
        await untilSignal(signals);
        log.info('stopping: finishing what is in flight');
      } finally {
        await stopOnce(service, signals);
      }
      log.info('stopped');
    });
};

const untilSignal = async (signals: Signals): Promise<void> => {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signals.off('SIGTERM', end);
      signals.off('SIGINT', end);
      resolve();
    };
    signals.on('SIGTERM', end);
    signals.on('SIGINT', end);
  });
};

/** npm passes on the signal that a terminal has sent already: what follows at once is the same signal. */
const sameSignalMs = 500;

/** A second signal ends the process at once. */
const stopOnce = async (service: Service, signals: Signals): Promise<void> => {
  const first = performance.now();
  const atOnce = (): void => {
    if (performance.now() - first > sameSignalMs) process.exit(130);
  };
  signals.on('SIGTERM', atOnce);
  signals.on('SIGINT', atOnce);
  await service.stop();
  signals.off('SIGTERM', atOnce);
  signals.off('SIGINT', atOnce);
};
