import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { makeCertificate, type Certificate } from '../../../simulators/certificate.js';
import {
  makeConnection,
  type ConnectionDeps,
  type Connection,
} from '../../../src/controllers/https/connection.js';
import type { ConnectionSettings } from '../../../src/controllers/https/settings.js';
import { nodeSystem } from '../../../src/lib/system.js';

/** A request as it came. */
export interface Arrived {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: Arrived) => void;

/** An HTTPS server that does what a test wants. */
export interface Target {
  readonly url: string;
  readonly port: number;
  readonly cert: string;
  readonly fingerprint: string;
  readonly certificate: Certificate;
  readonly requests: readonly Arrived[];
  /** TCP connections so far. */
  readonly connections: number;
  readonly handshakes: number;
  /** The most requests at the same time. */
  readonly mostOpen: number;
  answer(answer: Answer): void;
  /** Ends so many of the next connections before anything is said over them. */
  drop(connections: number): void;
  /** Shows another certificate from now on, and returns its fingerprint. */
  renew(): Promise<string>;
  stop(): Promise<void>;
}

export const well: Answer = (response) => void response.end('{"well":true}');

interface TargetOptions {
  readonly port?: number;
  readonly certificate?: Certificate;
}

export const startTarget = async (
  first: Answer = well,
  { port = 0, certificate }: TargetOptions = {},
): Promise<Target> => {
  const { cert, key, fingerprint } = certificate ?? (await makeCertificate('controller.test'));
  const requests: Arrived[] = [];
  let answer = first;
  let connections = 0;
  let handshakes = 0;
  let open = 0;
  let mostOpen = 0;
  const server = createServer({ cert, key }, (request, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once('close', () => {
      open -= 1;
    });
    text(request).then(
      (body) => {
        const arrived = { method: request.method, path: request.url, headers: request.headers, body };
        requests.push(arrived);
        answer(response, arrived);
      },
      () => undefined,
    );
  });
  let dropping = 0;
  server.prependListener('connection', (socket) => {
    connections += 1;
    if (dropping > 0) socket.destroy();
    dropping -= 1;
  });
  server.on('secureConnection', () => {
    handshakes += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const listening = (server.address() as AddressInfo).port;
  return {
    url: `https://127.0.0.1:${listening}`,
    port: listening,
    cert,
    fingerprint,
    certificate: { cert, key, fingerprint },
    requests,
    get connections() {
      return connections;
    },
    get handshakes() {
      return handshakes;
    },
    get mostOpen() {
      return mostOpen;
    },
    answer: (next) => {
      answer = next;
    },
    drop: (next) => {
      dropping = next;
    },
    renew: async () => {
      const renewed = await makeCertificate('controller.test');
      server.setSecureContext({ cert: renewed.cert, key: renewed.key });
      server.closeAllConnections();
      return renewed.fingerprint;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

type To = Pick<Target, 'url'> & Partial<Target>;

/** A connection that trusts the target, unless it is told otherwise. */
export const connect = (
  { url, fingerprint }: To,
  settings: Partial<ConnectionSettings> = {},
  surroundings: Partial<ConnectionDeps> = {},
): Connection =>
  makeConnection(
    { url, fingerprint, ca: undefined, maxCalls: 4, ...settings },
    // Longer than any test takes: no test may depend on speed.
    {
      name: 'Zentrale',
      system: nodeSystem,
      log: pino({ level: 'silent' }),
      deadlineMs: 60_000,
      ...surroundings,
    },
    { path: '/ping' },
  );

/** What a promise was rejected with. */
export const errorOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
};
