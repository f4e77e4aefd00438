import type { Command } from 'commander';
import type { App } from '../../app/runningApp.js';
import { readConfig, readTls } from '../../config/config.js';
import { findUnknownSettings, formatUnknownSetting } from '../../config/unknownSettings.js';
import { ContractError } from '../../contract/source.js';
import { openLog, type Log } from '../../log/log.js';
import { readVersion } from '../../lib/buildInfo.js';
import { publicText } from '../../lib/publicText.js';
import { loadTracer } from '../../tracing/loadTracer.js';
import { CommandError, type Io } from '../io.js';
import { checkSecretKeyAtStart } from '../sealing.js';
import { followHangUps, stopGracefully, waitForSignal, type Signals } from '../../lib/signals.js';
import { makeServiceManager } from './serviceManager.js';
import { extendDemoKey, prepareDemo, refuseDemoWithRealControllers, revokeDemoKeys } from './demo.js';

interface ServeCommandOptions {
  demo?: boolean;
  continueDemo?: boolean;
  mockMissing?: boolean;
  json?: boolean;
}

/** Adds the options of `serve`, which runs the service until a signal ends it. */
export const addServeCommand = (
  serve: Command,
  io: Io,
  signals: Signals = process,
  channel: ParentChannel = process,
): void => {
  serve
    .option('--demo', 'add a simulated controller, two sites, profiles and a fresh key, and show what to try')
    .option('--continue-demo', 'for development: take over a running demo, and keep its key valid')
    .option('--mock-missing', 'for development: operations without a handler answer from their examples')
    .option('--json', 'print the address as JSON when it listens')
    .action(async (options: ServeCommandOptions) => {
      const config = readConfig(io.env);
      const { log, dropped, end } = await openLog(config.logLevel);
      for (const unknown of findUnknownSettings(io.env)) log.warn(formatUnknownSetting(unknown));
      const manager = makeServiceManager(io.env, log);
      const isDemo = options.demo === true || options.continueDemo === true;
      const development = options.mockMissing ? openDevelopment(io.env, channel) : undefined;
      let running: App | undefined;
      let onStarted = (_service: App): void => undefined;
      let hangUp = (): void => undefined;
      const terminalGone = new Promise<void>((resolve) => (hangUp = resolve));
      const unfollow = followHangUps(signals, {
        reload: () => {
          // While it starts, the files may have been read already.
          if (running) reloadCertificate(io.env, running, log);
          else onStarted = (service) => reloadCertificate(io.env, service, log);
        },
        stop: hangUp,
      });
      try {
        const { startApp } = await import('../../app/app.js');
        const service = await startApp({
          config,
          log,
          tracer: await loadTracer(io.env, log, readVersion()),
          droppedLogLines: dropped,
          development: development !== undefined,
          isDemo,
          prepare: async (tables) => {
            await checkSecretKeyAtStart(config, tables, log);
            if (isDemo) await refuseDemoWithRealControllers(tables);
            else if ((await revokeDemoKeys(tables)) > 0) log.warn('revoked the API key of an earlier demo');
          },
        });
        // Before the address is printed: its reader may send a signal at once.
        const signalled = Promise.race([waitForSignal(signals), terminalGone]);
        running = service;
        onStarted(service);
        let endDemo = (): Promise<void> => Promise.resolve();
        const announce = async (): Promise<void> => {
          const { socket } = service;
          if (options.json) io.out(`${JSON.stringify({ url: service.url, socket })}\n`);
          log.info({ url: service.url, socket, docs: `${service.publicUrl}/docs` }, 'listening');
          if (options.demo) io.out(await prepareDemo(service));
          else await printFirstStart(io, service, log);
          if (isDemo)
            endDemo = (await extendDemoKey(service, log, { handOver: development !== undefined })).end;
          development?.followReloads(service);
          manager.ready();
        };
        const announced = announce();
        try {
          await Promise.race([announced, signalled]);
          await signalled;
          log.info('stopping: draining requests in flight');
          manager.stopping();
        } finally {
          const stop = async (): Promise<void> => {
            // Here, so that the deadline and a second signal hold also while it waits for the database.
            await announced.catch(() => undefined);
            await endDemo();
            await service.stop();
          };
          await stopGracefully(stop, signals, {
            deadlineMs: config.stopDeadlineMs,
            onDeadline: () => log.error('shutdown deadline exceeded: exiting with requests in flight'),
          });
        }
        log.info('stopped');
      } catch (error) {
        development?.reportRefusal(error);
        throw error;
      } finally {
        development?.close();
        manager.close();
        end();
        unfollow();
      }
    });
};

/** Reads the TLS files again. Requests in flight and open connections are not disturbed. */
const reloadCertificate = (env: Io['env'], service: Pick<App, 'replaceCertificate'>, log: Log): void => {
  try {
    const tls = readTls(env);
    if (tls) {
      service.replaceCertificate(tls);
      log.info('SIGHUP: the TLS files were read again; new connections get their certificate');
    } else log.info('SIGHUP ignored: there are no TLS files to read again');
  } catch (error) {
    log.error({ err: error }, 'SIGHUP: the TLS files can not be used, so the certificate stays as it was');
  }
};

/**
 * While there is no user, prints where to create the first administrator. The address is a secret, so it is
 * not logged.
 */
const printFirstStart = async (
  io: Io,
  { firstStartUrl }: Pick<App, 'firstStartUrl'>,
  log: Log,
): Promise<void> => {
  const address = await firstStartUrl().catch((error: unknown) => {
    // The service already runs, and everything else continues.
    log.error(
      { err: error },
      'the address for the first administrator could not be created: restart to get one',
    );
    return undefined;
  });
  if (address !== undefined)
    io.err(`The web UI has no users yet. Create the first administrator within an hour:\n\n  ${address}\n\n`);
};

/** The IPC channel to the parent process, if there is one: `npm run dev` requests reloads over it. */
interface ParentChannel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
  send?: (message: object) => unknown;
  disconnect?: () => void;
}

/** Reloads the contract when the parent process asks for it. There is no way to ask for it over HTTP. */
interface Development {
  followReloads(service: Pick<App, 'reload' | 'mockedAtStart'>): void;
  /** Tells the parent why a contract was refused, or why the service did not start. */
  reportRefusal(error: unknown, id?: number): void;
  close(): void;
}

interface ReloadRequest {
  readonly id: number;
  readonly reload: true;
}

const isReloadRequest = (message: unknown): message is ReloadRequest =>
  typeof message === 'object' && message !== null && 'reload' in message && 'id' in message;

/** Opens the channel for `--mock-missing`. Throws `CommandError` in production. */
export const openDevelopment = (env: Io['env'], channel: ParentChannel): Development => {
  if (env['NODE_ENV'] === 'production')
    throw new CommandError('not-applicable', '--mock-missing is for development: NODE_ENV is production');
  let listener: (message: unknown) => void = () => undefined;
  const send = (message: object): void => {
    channel.send?.(message);
  };
  const reportRefusal: Development['reportRefusal'] = (error, id) => {
    if (error instanceof ContractError) send({ id, refused: error.what, position: error.position });
    else send({ id, refused: publicText(error) });
  };
  return {
    reportRefusal,
    followReloads: (service) => {
      if (!channel.send) return;
      listener = (message) => {
        if (!isReloadRequest(message)) return;
        const { id } = message;
        service.reload().then(
          (reloaded) => send({ id, reloaded }),
          (error: unknown) => reportRefusal(error, id),
        );
      };
      channel.on('message', listener);
      send({ following: true, mocked: service.mockedAtStart });
    },
    close: () => {
      channel.off('message', listener);
      channel.disconnect?.();
    },
  };
};
