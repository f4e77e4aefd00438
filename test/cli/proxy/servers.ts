import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { startInForeground, type ForegroundCommand } from '../../support/foreground.js';
import type { Answer } from '../../support/service.js';

/** A server behind the proxy. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `voucherd proxy` in this process. */
export const startProxy = (url: string, ...argv: string[]): Promise<ForegroundCommand> =>
  startInForeground(['proxy', url, '--port', '0', ...argv], {});

/** A server that answers in HTTP. */
export const startServer = async (listener: RequestListener): Promise<TestServer> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A server that does what it likes with a connection. */
export const startRawServer = async (onConnection: (socket: Socket) => void): Promise<TestServer> => {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

/** What the proxy found, as the header of an answer says it. */
export const violationsOf = ({ headers }: Answer): string[] =>
  String(headers['x-contract-violation'] ?? '')
    .split(', request')
    .join('\nrequest')
    .split(', response')
    .join('\nresponse')
    .split('\n')
    .filter((line) => line !== '');
