import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { openLog } from '../log.js';
import { prepareDemo } from './demo.js';
import { openDevelopment, type Channel } from './development.js';
import type { Io } from './io.js';
import { stopOnce, untilSignal, type Signals } from './signals.js';

export type { Signals } from './signals.js';

interface ServeCommandOptions {
  demo?: boolean;
  mockMissing?: boolean;
  json?: boolean;
}

export const addServeCommand = (
  program: Command,
  io: Io,
  signals: Signals = process,
  channel: Channel = process,
): void => {
  program
    .command('serve')
    .description('Start the service. Settings come from the environment: see docs/operate.md')
    .option('--demo', 'add a simulated controller, two sites and a fresh key, and say what to try')
    .option('--mock-missing', 'for development: operations without a handler answer from their examples')
    .option('--json', 'print the address as JSON when it listens')
    .action(async (options: ServeCommandOptions) => {
      const config = readConfig(io.env);
      const { log, dropped, end } = openLog(config.logLevel);
      const development = options.mockMissing ? openDevelopment(io.env, channel) : undefined;
      try {
        // Loaded only here: the other commands answer sooner without the whole service.
        const { serve } = await import('../serve.js');
        const service = await serve({
          config,
          log,
          droppedLogLines: dropped,
          development: development !== undefined,
        });
        try {
          if (options.json) io.out(`${JSON.stringify({ url: service.url })}\n`);
          log.info({ url: service.url + config.basePath }, 'listening');
          if (options.demo) io.out(await prepareDemo(service, config.basePath));
          development?.follow(service);
          await untilSignal(signals);
          log.info('stopping: finishing what is in flight');
        } finally {
          await stopOnce(service.stop, signals, {
            deadlineMs: config.stopDeadlineMs,
            late: () => log.error('not stopped in time: ended with what is in flight'),
          });
        }
        log.info('stopped');
      } catch (error) {
        development?.refused(error);
        throw error;
      } finally {
        development?.close();
        end();
      }
    });
};
