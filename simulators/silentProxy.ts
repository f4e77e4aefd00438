import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy whose connections can fall silent: they stay open, and nothing passes in either direction any more. */
export interface SilentProxy {
  readonly host: string;
  readonly port: number;
  /** How many connections pass bytes now. */
  readonly passing: number;
  /** Silences open connections, the oldest first, and returns how many: all of them unless a number is given. */
  silence(most?: number): number;
  /** Connections made from now on are silent from the beginning, until they are let through again. */
  silenceNew(silent: boolean): void;
  stop(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  silent: boolean;
}

/** Passes bytes on to a server, as a NAT or a load balancer on the way does, until it is told to forget a connection. */
export const startSilentProxy = async (target: { host: string; port: number }): Promise<SilentProxy> => {
  const pairs = new Set<Pair>();
  let newSilent = false;

  const open = (client: Socket): void => {
    const server = connect(target);
    const pair: Pair = { client, server, silent: newSilent };
    pairs.add(pair);
    const relay = (from: Socket, to: Socket): void => {
      from.on('data', (chunk) => {
        if (!pair.silent) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        // Whoever is forgotten hears nothing of the other side's end either.
        if (!pair.silent || from === client) to.destroy();
      });
    };
    relay(client, server);
    relay(server, client);
  };

  const proxy = createServer(open);
  await new Promise<void>((resolve, reject) => {
    proxy.once('error', reject);
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const passing = (): Pair[] => [...pairs].filter(({ silent }) => !silent);
  return {
    host: '127.0.0.1',
    port: (proxy.address() as AddressInfo).port,
    get passing() {
      return passing().length;
    },
    silence: (most = Infinity) => {
      const chosen = passing().slice(0, most);
      for (const pair of chosen) pair.silent = true;
      return chosen.length;
    },
    silenceNew: (silent) => {
      newSilent = silent;
    },
    stop: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const { client, server } of pairs) {
          client.destroy();
          server.destroy();
        }
      }),
  };
};
