import { once } from 'node:events';
import { connect } from 'node:net';
import { jsonOf } from '../json.js';
import { longestPatienceMs, type HttpAnswer } from '../request.js';

/** The first line of a request, as a client of Node would not send it. */
interface RequestLine {
  readonly method: string;
  /** Below the base address. */
  readonly path: string;
  /** HTTP/1.0 has no Host. */
  readonly version: '1.0' | '1.1';
}

/** Sends a request that has only this line and, where the version wants it, a Host. */
export const sendLine = async (
  base: string,
  { method, path, version }: RequestLine,
  patienceMs = longestPatienceMs,
): Promise<HttpAnswer> => {
  const { hostname, port, host, pathname } = new URL(base);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  const deadline = setTimeout(
    () => socket.destroy(new Error(`${method} ${path}: no complete answer within ${patienceMs / 1000} s`)),
    patienceMs,
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const lines = [
    `${method} ${pathname.replace(/\/$/, '')}${path} HTTP/${version}`,
    ...(version === '1.0' ? [] : [`Host: ${host}`, 'Connection: close']),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close').finally(() => clearTimeout(deadline));
  return parseAnswer(Buffer.concat(chunks).toString());
};

const parseAnswer = (received: string): HttpAnswer => {
  const end = received.indexOf('\r\n\r\n');
  const [status = '', ...lines] = received.slice(0, end).split('\r\n');
  const text = received.slice(end + 4);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
  return { status: Number(status.split(' ')[1]), headers, text, body: jsonOf(text) };
};
