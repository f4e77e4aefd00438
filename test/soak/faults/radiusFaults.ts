import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import type { ConsoleFault, FaultKind } from '../../../simulators/unifi/faults.js';
import { makeRadiusPostgres } from '../../controllers/radiusSql/radiusDatabase.js';
import type { FaultAdapter } from './faultAdapter.js';

/** The faults that a connection to a database can have: the others are those of HTTP and of JSON. */
export const databaseFaults: readonly FaultKind[] = [
  'slow',
  'hang',
  'reset-before',
  'reset-after',
  'truncated',
];

/** How much of an answer is there before it breaks off: less than the head of a message. */
const truncatedBytes = 3;

/** A proxy in front of a database, whose faults meet commits: that is when a voucher is made. */
const startFaultyProxy = async ({ host, port }: { readonly host: string; readonly port: number }) => {
  let fault: ConsoleFault | undefined;
  let left = 0;
  const sockets = new Set<Socket>();
  const takeFault = (): ConsoleFault | undefined => {
    if (!fault || left === 0) return undefined;
    left -= 1;
    return fault;
  };

  const server = createServer((client) => {
    const database = connect(port, host);
    let met: ConsoleFault | undefined;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (bytes.includes('commit')) met = takeFault();
      if (met?.kind === 'reset-before') client.destroy();
      else if (met?.kind !== 'hang') database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (met?.kind === 'reset-after') client.destroy();
      else if (met?.kind === 'truncated') client.end(bytes.subarray(0, truncatedBytes));
      else if (met?.kind === 'slow') {
        const { delayMs = 0 } = met;
        met = undefined;
        setTimeout(() => client.write(bytes), delayMs);
      } else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set: (next: ConsoleFault | undefined): void => {
      fault = next;
      left = next ? (next.times ?? Infinity) : 0;
    },
    stop: (): void => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

export const radiusFaultAdapter: FaultAdapter = {
  title: 'radius-sql',
  kind: 'radius-sql',
  faults: databaseFaults,
  start: async () => {
    const radius = await makeRadiusPostgres();
    const proxy = await startFaultyProxy(radius);
    const client = new pg.Client({
      ...{ host: radius.host, port: radius.port, database: radius.name },
      ...{ user: radius.credentials.username, password: radius.credentials.password },
    });
    client.on('error', () => undefined);
    await client.connect();
    return {
      settings: { url: `postgresql://127.0.0.1:${String(proxy.port)}/${radius.name}` },
      credentials: radius.credentials,
      site: 'default',
      fault: proxy.set,
      codes: async () => {
        const { rows } = await client.query<{ username: string }>(
          `select username from radcheck where attribute = 'Cleartext-Password'`,
        );
        return rows.map(({ username }) => username);
      },
      stop: async () => {
        proxy.stop();
        await client.end();
        await radius.drop();
      },
    };
  },
};
