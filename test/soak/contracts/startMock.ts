import { EventEmitter } from 'node:events';
import { main } from '../../../src/main.js';

/** Starts the mock of a contract in this process. */
export const startMock = async (
  file: string,
  options: readonly string[] = [],
): Promise<{ url: string; end(): Promise<unknown> }> => {
  const signals = new EventEmitter();
  let printed = '';
  let failure = '';
  const io = {
    env: { PORT: '0', LOG_LEVEL: 'silent' },
    out: (text: string) => void (printed += text),
    err: (text: string) => void (failure += text),
  };
  const ended = main(['mock', ...options, '--json', '--contract', file], io, signals);
  while (signals.listenerCount('SIGTERM') === 0 && failure === '')
    await new Promise((resolve) => setTimeout(resolve, 10));
  if (failure !== '') throw new Error(failure.trim());
  const { url } = JSON.parse(printed) as { url: string };
  return {
    url,
    end: () => {
      signals.emit('SIGTERM');
      return ended;
    },
  };
};
