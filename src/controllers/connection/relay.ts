import { Readable } from 'node:stream';
import { brokenOff, unanswered } from './errors.js';

export interface RelayOptions {
  readonly name: string;
  readonly source: Readable;
  readonly signal: AbortSignal;
  /** How long nothing may come while something is waited for. */
  readonly silenceMs: number | undefined;
}

/** A body with errors of our own. */
export const relay = ({ name, source, signal, silenceMs }: RelayOptions): Readable => {
  let silence: NodeJS.Timeout | undefined;
  const tooLate = (): void => void body.destroy(unanswered(name));
  const listen = (): void => {
    if (silenceMs !== undefined) silence ??= setTimeout(tooLate, silenceMs).unref();
  };
  const stopListening = (): void => {
    clearTimeout(silence);
    silence = undefined;
  };
  const body = new Readable({
    read: () => {
      listen();
      source.resume();
    },
    destroy: (error, done) => {
      stopListening();
      signal.removeEventListener('abort', tooLate);
      source.destroy();
      done(error);
    },
  });
  // It may break off before somebody reads; unheard that would end the process.
  body.on('error', () => undefined);
  signal.addEventListener('abort', tooLate, { once: true });
  source
    .on('data', (chunk: Buffer) => {
      stopListening();
      if (body.push(chunk)) listen();
      // A reader who takes his time is not the controller's silence.
      else source.pause();
    })
    .once('end', () => {
      stopListening();
      body.push(null);
    })
    .once('error', () => body.destroy(brokenOff(name)))
    .once('close', () => {
      if (!source.readableEnded) body.destroy(brokenOff(name));
    });
  return body;
};
