import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy in front of a database that can fall silent, like a network that drops packets: connections stay open,
 * new ones are accepted, and nothing is forwarded, not even their end.
 */
export interface SilencingProxy {
  /** The address of the database through this proxy. */
  through(databaseUrl: string): string;
  /** How many connections are open that are not silent. */
  open(): number;
  /** Silences open connections, the oldest first, all by default. New ones are forwarded. */
  silenceOpen(most?: number): number;
  /** Silences the connection that was used last. */
  silenceLast(): void;
  /** Silences all connections, including new ones. */
  silence(): void;
  /** Forwards new connections again; silent ones stay silent. */
  resume(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket | undefined;
  silent: boolean;
  saidAt: number;
}

export const startSilencingProxy = async (databaseUrl: string): Promise<SilencingProxy> => {
  const { hostname, port } = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let silent = false;
  let said = 0;

  const join = (pair: Pair, from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      if (pair.silent) return;
      pair.saidAt = said += 1;
      to.write(bytes);
    });
    from.on('close', () => {
      if (!pair.silent) to.destroy();
    });
  };

  const proxy = createServer((client) => {
    const server = silent ? undefined : connect(Number(port), hostname);
    const pair: Pair = { client, server, silent, saidAt: said };
    pairs.add(pair);
    for (const socket of [client, server]) socket?.on('error', () => undefined);
    client.once('close', () => {
      if (!pair.silent) pairs.delete(pair);
    });
    if (!server) {
      client.resume();
      return;
    }
    join(pair, client, server);
    join(pair, server, client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: own } = proxy.address() as AddressInfo;
  const talking = (): Pair[] => [...pairs].filter((pair) => !pair.silent);

  return {
    through: (url) => {
      const through = new URL(url);
      through.hostname = '127.0.0.1';
      through.port = String(own);
      return through.href;
    },
    open: () => talking().length,
    silenceOpen: (most = Infinity) => {
      const chosen = talking().slice(0, most);
      for (const pair of chosen) pair.silent = true;
      return chosen.length;
    },
    silenceLast: () => {
      const [last] = talking().sort((a, b) => b.saidAt - a.saidAt);
      if (last) last.silent = true;
    },
    silence: () => {
      silent = true;
      for (const pair of pairs) pair.silent = true;
    },
    resume: () => {
      silent = false;
    },
    close: async () => {
      for (const { client, server } of pairs) {
        client.destroy();
        server?.destroy();
      }
      proxy.close();
      await once(proxy, 'close');
    },
  };
};
