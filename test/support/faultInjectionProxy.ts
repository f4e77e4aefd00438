import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Headers = readonly (readonly [name: string, value: string])[];

/** A request on its way to the service. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly requestTarget: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** An answer on its way back. */
export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** What goes wrong. Without any of it the proxy passes everything on as it is. */
export interface Defect {
  request?(request: ProxiedRequest): ProxiedRequest;
  answer?(answer: ProxiedAnswer, request: ProxiedRequest): ProxiedAnswer;
}

export interface FaultInjectionProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Stands in front of a good service and makes it look like one with a defect, to see who notices. */
export const startFaultInjectionProxy = async (
  service: string,
  defect: Defect = {},
): Promise<FaultInjectionProxy> => {
  const server = createServer((req, res) => {
    pass(service, defect, req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
};

const pass = async (
  service: string,
  defect: Defect,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> => {
  const asked: ProxiedRequest = {
    method: req.method ?? '',
    requestTarget: req.url ?? '',
    headers: endToEnd(req.rawHeaders),
    body: await bytesOf(req),
  };
  const request = defect.request?.(asked) ?? asked;
  const received = await send(service, request);
  const answer = defect.answer?.(received, request) ?? received;
  res.writeHead(answer.status, withLength(answer.headers, answer.body).flat());
  res.end(answer.body);
};

/** Without the headers that belong to one connection only. */
const endToEnd = (rawHeaders: readonly string[]): Headers => {
  const headers: (readonly [string, string])[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) headers.push([name, value]);
  }
  return headers;
};

/** A body that is another one now has another length. What has none, such as an answer to HEAD, keeps its header. */
const withLength = (headers: Headers, body: Buffer): Headers =>
  headers.map(([name, value]) =>
    /^content-length$/i.test(name) && body.length > 0 ? [name, String(body.length)] : [name, value],
  );

const bytesOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const send = (service: string, request: ProxiedRequest): Promise<ProxiedAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service);
    const { method, requestTarget: path, body } = request;
    const headers = withLength(request.headers, body).flat();
    const req = httpRequest({ hostname, port, method, path, agent: false, headers }, (res) => {
      bytesOf(res).then(
        (bytes) => resolve({ status: res.statusCode ?? 0, headers: endToEnd(res.rawHeaders), body: bytes }),
        reject,
      );
    });
    req.on('error', reject);
    req.end(body);
  });
