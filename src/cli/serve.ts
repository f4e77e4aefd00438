import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { openLog } from '../log.js';
import { keepDemoKey, prepareDemo, refuseBesideReal, revokeDemoKeys } from './demo.js';
import { openDevelopment, type Channel } from './development.js';
import type { Io } from './io.js';
import { checkKeyAtStart } from './keyAtStart.js';
import { stopOnce, untilSignal, type Signals } from './signals.js';

export type { Signals } from './signals.js';

interface ServeCommandOptions {
  demo?: boolean;
  continueDemo?: boolean;
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
    .option('--continue-demo', 'for development: take over a running demo, and keep its key valid')
    .option('--mock-missing', 'for development: operations without a handler answer from their examples')
    .option('--json', 'print the address as JSON when it listens')
    .action(async (options: ServeCommandOptions) => {
      const config = readConfig(io.env);
      const { log, dropped, end } = openLog(config.logLevel);
      const isDemo = options.demo === true || options.continueDemo === true;
      const development = options.mockMissing ? openDevelopment(io.env, channel) : undefined;
      try {
        // Loaded only here: the other commands answer sooner without the whole service.
        const { serve } = await import('../serve.js');
        const service = await serve({
          config,
          log,
          droppedLogLines: dropped,
          development: development !== undefined,
          prepare: async (storage) => {
            await checkKeyAtStart(config, storage, log);
            if (isDemo) await refuseBesideReal(storage);
            else if ((await revokeDemoKeys(storage)) > 0)
              log.warn('the key that a demo left behind is revoked');
          },
        });
        // Before the address is printed: whoever reads it may end the service at once.
        const signalled = untilSignal(signals);
        let endDemo = (): Promise<void> => Promise.resolve();
        try {
          if (options.json) io.out(`${JSON.stringify({ url: service.url })}\n`);
          log.info({ url: service.url + config.basePath, docs: `${service.url}/docs` }, 'listening');
          if (options.demo) io.out(await prepareDemo(service, config.basePath));
          if (isDemo)
            endDemo = (await keepDemoKey(service, log, { handOver: development !== undefined })).end;
          development?.follow(service);
          await signalled;
          log.info('stopping: finishing what is in flight');
        } finally {
          const stop = async (): Promise<void> => {
            await endDemo();
            await service.stop();
          };
          await stopOnce(stop, signals, {
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
