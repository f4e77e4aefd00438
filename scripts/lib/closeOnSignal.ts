import { constants } from 'node:os';

/** Ends this process by a signal only after something was closed. */
export const closeOnSignal = (close: () => Promise<void>): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
};
