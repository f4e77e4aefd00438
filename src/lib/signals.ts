import { isatty } from 'node:tty';

/** The source of signals: the process, or an emitter in tests. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: () => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: () => void): unknown;
}

/**
 * Resolves at the first SIGTERM or SIGINT. The listeners stay: without one, a second signal that comes before
 * the stop has begun would end the process.
 */
export const waitForSignal = (signals: Signals): Promise<void> =>
  new Promise((resolve) => {
    signals.on('SIGTERM', resolve);
    signals.on('SIGINT', resolve);
  });

interface HangUpListeners {
  /** A request to read files again. */
  reload(): void;
  /** The terminal that the process was started from is gone. */
  stop(): void;
}

const ignore = (): void => undefined;

/**
 * Listens to SIGHUP, which has two meanings. Returns how to stop listening, which comes last: it ends the
 * process when its terminal is gone, because Node would abort at its exit when it can't reset the terminal.
 */
export const followHangUps = (
  signals: Signals,
  { reload, stop }: HangUpListeners,
  isTerminal: () => boolean = () => isatty(0),
): (() => void) => {
  const startedFromTerminal = isTerminal();
  const isTerminalGone = (): boolean => startedFromTerminal && !isTerminal();
  const listener = (): void => {
    if (isTerminalGone()) stop();
    else reload();
  };
  signals.on('SIGHUP', listener);
  // What is written to a terminal that is gone fails, and would end the process before it has drained.
  if (startedFromTerminal) for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore);
  return () => {
    signals.off('SIGHUP', listener);
    if (signals === process && isTerminalGone()) process.kill(process.pid, 'SIGHUP');
  };
};

/** npm forwards a signal that the terminal has already sent, so one that follows at once is the same. */
const sameSignalMs = 1000;

export interface GracefulStopOptions {
  readonly deadlineMs: number;
  /** Called when the deadline is exceeded, just before the process exits. */
  onDeadline(): void;
}

/** Stops gracefully. A second signal or the deadline ends the process at once. */
export const stopGracefully = async (
  stop: () => Promise<void>,
  signals: Signals,
  { deadlineMs, onDeadline }: GracefulStopOptions,
): Promise<void> => {
  const startedAt = performance.now();
  const deadline = setTimeout(() => {
    onDeadline();
    process.exit(1);
  }, deadlineMs).unref();
  const exitAtOnce = (): void => {
    if (performance.now() - startedAt > sameSignalMs) process.exit(130);
  };
  signals.on('SIGTERM', exitAtOnce);
  signals.on('SIGINT', exitAtOnce);
  try {
    await stop();
  } finally {
    clearTimeout(deadline);
    signals.off('SIGTERM', exitAtOnce);
    signals.off('SIGINT', exitAtOnce);
  }
};

/**
 * Runs work that SIGTERM, SIGINT or SIGHUP aborts with an error. A second signal ends the process at once.
 */
export const abortOnSignal = async <T>(
  signals: Signals,
  toError: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const abort = new AbortController();
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const stopListening = (): void => {
    for (const name of names) signals.off(name, listener);
  };
  const listener = (): void => {
    stopListening();
    abort.abort(toError());
  };
  for (const name of names) signals.on(name, listener);
  try {
    return await work(abort.signal);
  } finally {
    stopListening();
  }
};
