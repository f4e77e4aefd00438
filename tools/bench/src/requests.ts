import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { siteCount, type SeededKeys } from './seed.js';

/** One of the requests that are measured. Variants are sent in turns. */
export interface BenchRequest {
  readonly name: 'sites' | 'vouchers' | 'limited' | 'create' | 'crowd';
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly status: number;
  /** Over how many it is sent at once. */
  readonly connections: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly variants: readonly { readonly path: string; readonly body?: string }[];
}

/** The site whose list is asked for. */
const listedSite = 7;

const usualConnections = 32;

/** The requests as clients with these keys send them. */
export const makeRequests = ({ key, limitedKey }: SeededKeys): Record<BenchRequest['name'], BenchRequest> => {
  const authorize = (text: string) => ({ Authorization: `Bearer ${text}` });
  const read = {
    method: 'GET',
    status: 200,
    connections: usualConnections,
    headers: authorize(key),
  } as const;
  const vouchers = {
    ...read,
    name: 'vouchers',
    title: 'GET /vouchers.php, 200 vouchers',
    variants: [{ path: `/vouchers.php?site_id=${listedSite}` }],
  } as const;
  const create = {
    name: 'create',
    title: 'POST /vouchers.php, instant controller',
    method: 'POST',
    status: 201,
    connections: usualConnections,
    headers: { ...authorize(key), 'Content-Type': 'application/json' },
    variants: Array.from({ length: siteCount }, (_, index) => ({
      path: '/vouchers.php',
      body: JSON.stringify({
        site_id: index + 1,
        name: 'Familie Berger',
        max_uses: 2,
        expire_minutes: 1440,
      }),
    })),
  } as const;
  return {
    sites: { ...read, name: 'sites', title: 'GET /sites.php', variants: [{ path: '/sites.php' }] },
    vouchers,
    limited: {
      ...vouchers,
      name: 'limited',
      title: 'GET /vouchers.php, a key with a limit',
      headers: authorize(limitedKey),
    },
    create,
    crowd: { ...create, name: 'crowd', title: 'POST /vouchers.php, 256 connections', connections: 256 },
  };
};

/** One answer as it came over the wire. */
export interface BenchAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turns, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Sends one request on a connection of its own. */
const sendOnce = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<BenchAnswer> =>
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

export const getOnce = (url: string): Promise<BenchAnswer> => sendOnce(url, 'GET');

/** Sends the first variant of a request. */
export const sendFirstVariant = async (url: string, request: BenchRequest): Promise<BenchAnswer> => {
  const [variant] = request.variants;
  if (!variant) throw new Error(`${request.name} has no variant`);
  return sendOnce(url + variant.path, request.method, request.headers, variant.body);
};
