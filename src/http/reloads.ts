import type { IncomingMessage, ServerResponse } from 'node:http';

/** Tells pages that show the contract when there is another one. For development only. */
export interface Reloads {
  /** Server-sent events: one at once and one at each change, with `{"revision":"…"}` as its data. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  notify(): void;
  /** Ends all streams; what comes later is ended at once. */
  close(): void;
}

/** Shorter than the time after which the server ends a silent connection. */
const heartbeatMs = 30_000;

/** `process` tells the revisions of this process from those of the next one. */
export const makeReloads = (process: string): Reloads => {
  const streams = new Set<ServerResponse>();
  let count = 0;
  let closed = false;
  const event = (): string => `data: ${JSON.stringify({ revision: `${process}-${String(count)}` })}\n\n`;
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.write(': still here\n\n');
  }, heartbeatMs).unref();

  return {
    handle: (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
      // A browser comes back after half a second when the service restarts.
      res.write(`retry: 500\n${event()}`);
      streams.add(res);
      res.once('close', () => streams.delete(res));
      if (closed) res.end();
    },
    notify: () => {
      count += 1;
      for (const stream of streams) stream.write(event());
    },
    close: () => {
      closed = true;
      clearInterval(heartbeat);
      for (const stream of streams) stream.end();
    },
  };
};
