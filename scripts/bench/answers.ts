import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { BenchRequest } from './requests.js';

/** One answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turns, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Sends one request on a connection of its own. */
export const send = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    // Kept alive like the connections under load: the answer's headers depend on it.
    const options = { method, agent: false, headers: { ...headers, ...length, Connection: 'keep-alive' } };
    const req = httpRequest(url, options, (res) => {
      const { socket } = res;
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const { statusCode: status = 0, headers: received, rawHeaders } = res;
        resolve({ status, headers: received, rawHeaders, body: Buffer.concat(chunks).toString() });
        socket.destroy();
      });
    });
    req.setTimeout(10_000, () => req.destroy(new Error(`${method} ${url}: no answer within 10 s`)));
    req.on('error', reject);
    req.end(body);
  });

export const get = (url: string): Promise<Answer> => send(url, 'GET');

/** Sends the first variant of a request. */
export const sendFirst = async (url: string, request: BenchRequest): Promise<Answer> => {
  const [variant] = request.variants;
  if (!variant) throw new Error(`${request.name} has no variant`);
  return send(url + variant.path, request.method, request.headers, variant.body);
};
