import { PassThrough, type Readable } from 'node:stream';

/** Server-sent events, as the body of an answer. */
export interface EventStream {
  readonly body: Readable;
  /** Sends one event, its data as JSON. */
  send(event: string, data: unknown): void;
  end(): void;
}

/** Proxies such as nginx would collect events otherwise. */
export const eventStreamHeaders = { 'X-Accel-Buffering': 'no' };

/** Proxies and servers end connections on which nothing happens. */
const heartbeatMs = 20_000;
/** A reader that does not read is not worth more memory. */
const maxBufferedBytes = 256 * 1024;

export const makeEventStream = (): EventStream => {
  const body = new PassThrough();
  const write = (text: string): void => {
    if (!body.writable) return;
    if (body.writableLength > maxBufferedBytes) body.destroy();
    else body.write(text);
  };
  const heartbeat = setInterval(() => write(':\n\n'), heartbeatMs).unref();
  body.once('close', () => clearInterval(heartbeat));
  // Sends the headers at once.
  write(':\n\n');
  return {
    body,
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => body.end(),
  };
};
