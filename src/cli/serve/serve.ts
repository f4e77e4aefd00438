import type { Command } from 'commander';
import type { App } from '../../app.js';
import { readConfig } from '../../config.js';
import { ContractError } from '../../contract/source.js';
import { openLog } from '../../lib/log.js';
import { publicText } from '../../lib/problem.js';
import { CommandError, type Io } from '../io.js';
import { checkSecretKeyAtStart } from '../sealing.js';
import { stopGracefully, waitForSignal, type Signals } from '../signals.js';
import { extendDemoKey, prepareDemo, refuseDemoWithRealControllers, revokeDemoKeys } from './demo.js';

interface ServeCommandOptions {
  demo?: boolean;
  continueDemo?: boolean;
  mockMissing?: boolean;
  json?: boolean;
}

export const addServeCommand = (
  serve: Command,
  io: Io,
  signals: Signals = process,
  channel: ParentChannel = process,
): void => {
  serve
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
        const { startApp } = await import('../../app.js');
        const service = await startApp({
          config,
          log,
          droppedLogLines: dropped,
          development: development !== undefined,
          prepare: async (storage) => {
            await checkSecretKeyAtStart(config, storage, log);
            if (isDemo) await refuseDemoWithRealControllers(storage);
            else if ((await revokeDemoKeys(storage)) > 0)
              log.warn('the key that a demo left behind is revoked');
          },
        });
        // Before the address is printed: whoever reads it may end the service at once.
        const signalled = waitForSignal(signals);
        let endDemo = (): Promise<void> => Promise.resolve();
        try {
          if (options.json) io.out(`${JSON.stringify({ url: service.url })}\n`);
          log.info({ url: service.url + config.basePath, docs: `${service.url}/docs` }, 'listening');
          if (options.demo) io.out(await prepareDemo(service, config.basePath));
          if (isDemo)
            endDemo = (await extendDemoKey(service, log, { handOver: development !== undefined })).end;
          development?.follow(service);
          await signalled;
          log.info('stopping: finishing what is in flight');
        } finally {
          const stop = async (): Promise<void> => {
            await endDemo();
            await service.stop();
          };
          await stopGracefully(stop, signals, {
            deadlineMs: config.stopDeadlineMs,
            onDeadline: () => log.error('not stopped in time: ended with what is in flight'),
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

/** The wire to the process that started this one, where there is one: `npm run dev` tells over it what to load. */
interface ParentChannel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
  send?: (message: object) => unknown;
  disconnect?: () => void;
}

/** A service whose contract follows what is told over the channel. Nobody can tell it anything over HTTP. */
interface Development {
  follow(service: Pick<App, 'reload'>): void;
  /** Tells why a contract is not served, or why the service did not start. */
  refused(error: unknown, turn?: number): void;
  close(): void;
}

interface ReloadRequest {
  readonly turn: number;
  readonly reload: true;
}

const isReloadRequest = (message: unknown): message is ReloadRequest =>
  typeof message === 'object' && message !== null && 'reload' in message && 'turn' in message;

export const openDevelopment = (env: Io['env'], channel: ParentChannel): Development => {
  if (env['NODE_ENV'] === 'production')
    throw new CommandError('--mock-missing is for development: NODE_ENV is production');
  let listener: (message: unknown) => void = () => undefined;
  const tell = (message: object): void => {
    channel.send?.(message);
  };
  const refused: Development['refused'] = (error, turn) => {
    if (error instanceof ContractError) tell({ turn, refused: error.what, position: error.position });
    else tell({ turn, refused: publicText(error) });
  };
  return {
    refused,
    follow: (service) => {
      if (!channel.send) return;
      listener = (message) => {
        if (!isReloadRequest(message)) return;
        const { turn } = message;
        service.reload().then(
          (reloaded) => tell({ turn, reloaded }),
          (error: unknown) => refused(error, turn),
        );
      };
      channel.on('message', listener);
      tell({ following: true });
    },
    close: () => {
      channel.off('message', listener);
      channel.disconnect?.();
    },
  };
};
