import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Knows what is in flight, and waits for its end. */
interface GracefulShutdown {
  isDraining(): boolean;
  /** Notes a request until the work for it has ended, which goes on even when its client is gone. */
  track(req: IncomingMessage, res: ServerResponse, work: Promise<void>): void;
  /** Takes no more connections, finishes what is in flight, then resolves. */
  drain(server: Server): Promise<void>;
}

/** How long a stopping server waits for requests that are not even complete. */
const incompleteRequestTimeoutMs = 3_000;
const sweepIntervalMs = 50;

/** Lets a connection end with its answer. */
export const sayGoodbye = (res: ServerResponse): void => {
  if (!res.headersSent) res.shouldKeepAlive = false;
};

export const makeGracefulShutdown = (): GracefulShutdown => {
  const inFlight = new Set<{ readonly req: IncomingMessage; readonly res: ServerResponse }>();
  let draining = false;
  let onIdle = (): void => undefined;

  /** Once it is closed, node no longer ends clients that never finish their request. */
  const endIncomplete = (server: Server): void => {
    if (inFlight.size === 0) server.closeAllConnections();
    for (const { req } of inFlight) if (!req.complete) req.socket.destroy();
  };

  return {
    isDraining: () => draining,
    track: (req, res, work) => {
      const exchange = { req, res };
      inFlight.add(exchange);
      void work.finally(() => {
        inFlight.delete(exchange);
        if (inFlight.size === 0) onIdle();
      });
    },
    // Waits for every request in flight. `stopGracefully` limits how long.
    drain: async (server) => {
      draining = true;
      for (const { res } of inFlight) sayGoodbye(res);
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
      if (inFlight.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
};
