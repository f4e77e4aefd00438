/** What ends a running service. A test emits the signals itself. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

export const waitForSignal = async (signals: Signals): Promise<void> => {
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

export interface GracefulStopOptions {
  readonly deadlineMs: number;
  /** Called when the stop took too long, before the process ends all the same. */
  onDeadline(): void;
}

/** Stops in order; a second signal ends the process at once, and so does the deadline. */
export const stopGracefully = async (
  stop: () => Promise<void>,
  signals: Signals,
  { deadlineMs, onDeadline }: GracefulStopOptions,
): Promise<void> => {
  const first = performance.now();
  const deadline = setTimeout(() => {
    onDeadline();
    process.exit(1);
  }, deadlineMs).unref();
  const atOnce = (): void => {
    if (performance.now() - first > sameSignalMs) process.exit(130);
  };
  signals.on('SIGTERM', atOnce);
  signals.on('SIGINT', atOnce);
  try {
    await stop();
  } finally {
    clearTimeout(deadline);
    signals.off('SIGTERM', atOnce);
    signals.off('SIGINT', atOnce);
  }
};
