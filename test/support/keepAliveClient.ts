import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly path: string;
  /** Names and values; a name may occur more than once. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface KeepAliveClient {
  send(request: Sent): Promise<Received>;
  close(): void;
}

/** A client that uses its connections again, as an SDK does. */
export const makeKeepAliveClient = (url: string, maxSockets = 8): KeepAliveClient => {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const { hostname, port, host } = new URL(url);
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const flat = [['Host', host] as const, ...headers].flat();
        if (body) flat.push('Content-Length', String(body.length));
        const req = request({ hostname, port, method, path, agent, headers: flat }, (res) => {
          const chunks: Buffer[] = [];
          res.on('data', (chunk: Buffer) => chunks.push(chunk));
          res.on('error', reject);
          res.on('end', () => {
            resolve({
              status: res.statusCode ?? 0,
              headers: res.headers,
              text: Buffer.concat(chunks).toString(),
            });
          });
        });
        req.on('error', reject);
        req.end(body);
      }),
    close: () => {
      agent.destroy();
    },
  };
};
