import type { Duplex } from 'node:stream';
import type pg from 'pg';

/** What the driver's connection knows of the server, which its types omit. */
export interface CancellableConnection {
  readonly host: string;
  readonly port: number;
  readonly ssl: object | boolean;
  readonly sslNegotiation: string;
  readonly processID: number | null;
  readonly secretKey: unknown;
}

/** The driver's protocol, below its client. */
interface ProtocolConnection {
  readonly stream: Duplex;
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number | null, secretKey: unknown): void;
}

/** How long to wait for the server to accept a request to cancel. */
const cancelTimeoutMs = 2000;

/**
 * Asks the server to end what a connection is doing. That takes a separate socket, but no further session: it
 * works when all connections are busy, and through connection poolers. Settles when the server has been told,
 * so that it does not end the next statement instead; a request that fails changes nothing.
 */
export const cancelStatement = (
  { Connection }: typeof pg,
  { host, port, ssl, sslNegotiation, processID, secretKey }: CancellableConnection,
): Promise<void> =>
  new Promise((resolve) => {
    const request = new Connection({
      ssl,
      sslNegotiation,
    } as pg.ConnectionConfig) as unknown as ProtocolConnection;
    const late = setTimeout(() => request.stream.destroy(), cancelTimeoutMs);
    const send = (): void => request.cancel(processID, secretKey);
    request.on('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') request.requestSsl();
    });
    request.on('sslconnect', send);
    request.on('error', () => request.stream.destroy());
    // The server closes the connection when it has passed on the request.
    request.on('end', () => {
      clearTimeout(late);
      resolve();
    });
    if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${String(port)}`);
    else request.connect(port, host);
  });
