import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands in front of a server and passes on what is sent, or holds it back until it is let go. */
export interface HoldingProxy {
  readonly port: number;
  hold(): void;
  letGo(): void;
  stop(): Promise<void>;
}

export const startHoldingProxy = async (port: number, host = '127.0.0.1'): Promise<HoldingProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isHeld = false;
  const server = createServer((client) => {
    const pair = [client, connect(port, host)] as const;
    const [, upstream] = pair;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
    if (isHeld) holdPair(pair);
  });
  const holdPair = ([client, upstream]: readonly [Socket, Socket]): void => {
    client.unpipe(upstream).pause();
    upstream.unpipe(client).pause();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      isHeld = true;
      for (const pair of pairs) holdPair(pair);
    },
    letGo: () => {
      isHeld = false;
      for (const [client, upstream] of pairs) {
        client.pipe(upstream);
        upstream.pipe(client);
      }
    },
    stop: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
