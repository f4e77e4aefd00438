import { spawn } from 'node:child_process';
import { publicText } from '../../lib/publicText.js';
import type { Log } from '../../log/log.js';
import type { Io } from '../io.js';

/** Tells systemd how the service is, where a unit of `Type=notify` has started it. */
export interface ServiceManager {
  ready(): void;
  stopping(): void;
  close(): void;
}

const silent: ServiceManager = {
  ready: () => undefined,
  stopping: () => undefined,
  close: () => undefined,
};

/**
 * Follows NOTIFY_SOCKET and WATCHDOG_USEC. Node can't send to a Unix datagram socket, so `systemd-notify`
 * does, which is part of systemd; the unit has to have `NotifyAccess=all`.
 */
export const makeServiceManager = (env: Io['env'], log: Log, command = 'systemd-notify'): ServiceManager => {
  const socket = env['NOTIFY_SOCKET'];
  if (!socket) return silent;
  let hasFailed = false;
  const fail = (reason: string): void => {
    if (!hasFailed) log.warn({ reason }, 'systemd could not be notified: the unit needs Type=exec instead');
    hasFailed = true;
  };
  const notify = (...variables: string[]): void => {
    const child = spawn(command, variables, {
      env: { PATH: process.env['PATH'], NOTIFY_SOCKET: socket },
      stdio: 'ignore',
    });
    child.on('error', (error) => fail(publicText(error)));
    child.on('exit', (status) => {
      if (status !== 0) fail(`${command} ended with ${String(status)}`);
    });
    child.unref();
  };
  let watchdog: NodeJS.Timeout | undefined;
  return {
    ready: () => {
      notify('READY=1', 'STATUS=serving');
      const intervalMs = readWatchdogMs(env) / 2;
      // It runs on the event loop that serves requests: when that hangs, systemd starts the service again.
      if (intervalMs > 0) watchdog = setInterval(() => notify('WATCHDOG=1'), intervalMs).unref();
    },
    stopping: () => notify('STOPPING=1', 'STATUS=draining requests in flight'),
    close: () => clearInterval(watchdog),
  };
};

/** The time within which systemd wants a sign of life; 0 where it wants none from this process. */
const readWatchdogMs = (env: Io['env']): number => {
  const pid = env['WATCHDOG_PID'];
  if (pid !== undefined && pid !== String(process.pid)) return 0;
  const ms = Number(env['WATCHDOG_USEC']) / 1000;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 2 ** 31 - 1) : 0;
};
