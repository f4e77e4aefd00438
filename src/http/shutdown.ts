import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Knows what is in flight, and waits for its end. */
export interface GracefulShutdown {
  /** Notes a request, and the work that goes on for it even when its client is gone. Whether it fails is the caller's matter. */
  track(req: IncomingMessage, res: ServerResponse, work: Promise<void>): void;
  /** Takes no more connections, finishes what is in flight, then resolves. */
  drain(server: Server): Promise<void>;
}

/** How long a stopping server waits for requests that are not even complete. */
const incompleteRequestTimeoutMs = 3_000;
const sweepIntervalMs = 50;

export const makeGracefulShutdown = (): GracefulShutdown => {
  const inFlight = new Map<Promise<void>, { req: IncomingMessage; res: ServerResponse }>();
  let draining = false;

  const sayGoodbye = (res: ServerResponse): void => {
    if (!res.headersSent) res.shouldKeepAlive = false;
  };

  /** Once it is closed, node no longer ends clients that never finish their request. */
  const endIncomplete = (server: Server): void => {
    if (inFlight.size === 0) server.closeAllConnections();
    for (const { req } of inFlight.values()) if (!req.complete) req.socket.destroy();
  };

  return {
    track: (req, res, work) => {
      inFlight.set(work, { req, res });
      const forget = (): void => void inFlight.delete(work);
      work.then(forget, forget);
      if (draining) sayGoodbye(res);
    },
    drain: async (server) => {
      draining = true;
      for (const { res } of inFlight.values()) sayGoodbye(res);
      const began = performance.now();
      // A connection that becomes idle after its last answer would otherwise wait for its keep-alive time.
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        if (performance.now() - began > incompleteRequestTimeoutMs) endIncomplete(server);
      }, sweepIntervalMs);
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      clearInterval(sweep);
      // A client that has gone away leaves its request behind, and that is finished too.
      await Promise.allSettled(inFlight.keys());
    },
  };
};
