import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { until } from './until.js';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A connection on which a test sends whatever bytes it likes. */
interface RawConnection {
  readonly socket: Socket;
  /** Sends as much as the other side takes. */
  write(bytes: string | Uint8Array): void;
  /** The answers that are complete so far. */
  answers(): RawAnswer[];
  /** Waits until there are this many complete answers, or the connection is closed. */
  answered(count: number): Promise<RawAnswer[]>;
  /** Waits until the connection is closed, and returns all answers. */
  closed(): Promise<RawAnswer[]>;
  end(): void;
}

export const openRaw = (url: string): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let chunks: Buffer[] = [];
    const complete: RawAnswer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const answers = (): RawAnswer[] => {
      const { parsed, rest } = parseAnswers(Buffer.concat(chunks));
      complete.push(...parsed);
      // Only what is new is parsed the next time.
      chunks = [rest];
      return [...complete];
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    // The other side has said its last word; so have we.
    socket.on('end', () => socket.end());
    socket.once('error', reject);
    socket.once('connect', () => {
      // From here on a reset is one of the ways in which a connection may end.
      socket.on('error', () => undefined);
      resolve({
        socket,
        answers,
        write: (bytes) => void socket.write(bytes),
        answered: async (count) => {
          await until(`${count} answers`, () => socket.closed || answers().length >= count);
          return answers();
        },
        closed: async () => {
          await until('connection closed', () => socket.closed);
          return answers();
        },
        end: () => socket.end(),
      });
    });
  });

/** Sends bytes, and returns all answers once the service has closed the connection or answered this often. */
export const exchange = async (
  url: string,
  bytes: string | Uint8Array,
  count = 1,
): Promise<readonly RawAnswer[]> => {
  const connection = await openRaw(url);
  connection.write(bytes);
  const answers = await connection.answered(count);
  connection.socket.destroy();
  return answers;
};

/** Takes answers apart, and returns the bytes of what is not complete yet. An interim answer, 1xx, has no body. */
const parseAnswers = (bytes: Buffer): { parsed: RawAnswer[]; rest: Buffer } => {
  const parsed: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { parsed, rest };
    const head = rest.subarray(0, end).toString('latin1');
    const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
    const next = end + 4 + length;
    if (next > rest.length) return { parsed, rest };
    const body = rest.subarray(end + 4, next).toString();
    parsed.push({ status: Number(head.split(' ')[1]), head, body });
    rest = rest.subarray(next);
  }
};

/** Sees the service's own side of connections, through what Node tells about its HTTP servers. */
export const watchServer = (): { server(): Server; sockets(): Socket[]; stop(): void } => {
  const requests = 'http.server.request.start';
  let last: Server | undefined;
  const sockets = new Set<Socket>();
  const note = (message: unknown): void => {
    const { server, socket } = message as { server: Server; socket: Socket };
    last = server;
    sockets.add(socket);
  };
  subscribe(requests, note);
  return {
    server: () => {
      if (!last) throw new Error('no request seen yet');
      return last;
    },
    sockets: () => [...sockets],
    stop: () => unsubscribe(requests, note),
  };
};

/** Sends text over a socket as it is, and returns all that comes back until the service closes the connection. */
export const sendRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString());
    });
  });

/** The body of an answer that `sendRaw` returned. */
export const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);
