import type { Server } from 'node:https';
import type { Socket } from 'node:net';

export interface Connections {
  /** Sends a reset instead of anything else; TLS on top of it says no good-bye. */
  reset(secured: Socket): void;
  destroyAll(): void;
}

/** Keeps the plain sockets below TLS, for only they can be reset. */
export const watchConnections = (server: Server): Connections => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    reset: ({ remotePort, remoteAddress }) => {
      for (const socket of open) {
        if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress)
          socket.resetAndDestroy();
      }
    },
    destroyAll: () => {
      for (const socket of open) socket.destroy();
    },
  };
};
