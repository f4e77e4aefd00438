import { EventEmitter } from 'node:events';
import { main } from '../../src/main.js';
import { until } from './until.js';

/** A command that runs until it gets a signal, such as `mock`, in this process. */
export interface ForegroundCommand {
  readonly url: string;
  /** What it has printed so far. */
  out(): string;
  err(): string;
  /** Ends it as Ctrl-C does, and gives its status. */
  end(): Promise<number>;
}

export const startInForeground = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ForegroundCommand> => {
  const signals = new EventEmitter();
  const printed = { out: '', err: '' };
  const io = {
    env,
    out: (text: string) => void (printed.out += text),
    err: (text: string) => void (printed.err += text),
  };
  let ended: number | undefined;
  const status = main(argv, io, signals).then((code) => (ended = code));
  await until('it waits for a signal', () => {
    if (ended !== undefined) throw new Error(`it ended with ${String(ended)}: ${printed.err}`);
    return signals.listenerCount('SIGTERM') > 0;
  });
  return {
    url: /http:\/\/[\d.]+:\d+/.exec(printed.out)?.[0] ?? '',
    out: () => printed.out,
    err: () => printed.err,
    end: () => {
      signals.emit('SIGINT');
      return status;
    },
  };
};
