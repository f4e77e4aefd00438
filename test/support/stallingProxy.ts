import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** Stands between a program and PostgreSQL, and passes nothing on any more once the program sends a statement. */
export interface StallingProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Resolves when the program has sent the statement. */
  readonly stalled: Promise<void>;
  stop(): Promise<void>;
}

/** Passes on what is sent up to the first statement that matches. The protocol sends statements as plain text. */
export const startStallingProxy = async (databaseUrl: string, statement: RegExp): Promise<StallingProxy> => {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let stall: () => void = () => undefined;
  const stalled = new Promise<void>((resolve) => {
    stall = resolve;
  });
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      if (statement.test(chunk.toString('latin1'))) {
        client.removeAllListeners('data');
        // It still has to notice that the program has ended.
        client.resume();
        stall();
      } else upstream.write(chunk);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(databaseUrl);
  [url.hostname, url.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
  return {
    url: url.href,
    stalled,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
