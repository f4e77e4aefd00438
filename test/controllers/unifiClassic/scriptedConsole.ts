import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sharedCertificate } from '../../support/certificate.js';

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** What is answered; undefined when the script has answered by itself. */
export type Script = (asked: Asked, res: ServerResponse) => Said | undefined | Promise<Said | undefined>;

export interface ScriptOptions {
  readonly variant?: 'self-hosted' | 'unifi-os';
  /** Instead of a login that goes well. */
  readonly login?: Script;
  /** Instead of the first page of the variant. */
  readonly first?: Script;
  /** Everything else. */
  readonly api?: Script;
}

/** A controller that says what a test wants, for what no firmware does on demand. */
export interface Scripted {
  readonly url: string;
  readonly fingerprint: string;
  readonly username: string;
  readonly password: string;
  /** All requests, oldest first. */
  readonly asked: readonly Asked[];
  /** How often something was asked for: `POST /api/login`. */
  times(what: string): number;
  stop(): Promise<void>;
}

export const ok = (data: readonly unknown[] = [], meta: object = {}): Said => ({
  body: { meta: { rc: 'ok', ...meta }, data },
});

export const error = (status: number, msg: string): Said => ({
  status,
  body: { meta: { rc: 'error', msg }, data: [] },
});

export const loginPaths = { 'self-hosted': 'POST /api/login', 'unifi-os': 'POST /api/auth/login' };

export const startScripted = async (options: ScriptOptions): Promise<Scripted> => {
  const { variant = 'self-hosted', api = () => ok() } = options;
  const asked: Asked[] = [];
  let logins = 0;
  const goodLogin: Script = () => {
    logins += 1;
    return { ...ok(), headers: { 'set-cookie': [`unifises=session-${logins}; Path=/; Secure; HttpOnly`] } };
  };
  const firstPage: Script = () =>
    variant === 'unifi-os'
      ? { body: '<!doctype html>' }
      : { status: 302, headers: { location: '/manage' }, body: '' };
  const { first = firstPage, login = goodLogin } = options;

  const certificate = await sharedCertificate();
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (req, res) => {
    const answer = async (): Promise<void> => {
      const body = await text(req);
      const call: Asked = {
        method: req.method ?? '',
        path: req.url ?? '',
        headers: req.headers,
        json: body === '' ? undefined : (JSON.parse(body) as Asked['json']),
      };
      asked.push(call);
      const what = `${call.method} ${call.path}`;
      const script = what === 'GET /' ? first : /\/login$/.test(call.path) ? login : api;
      const said = await script(call, res);
      if (!said) return;
      const bytes = typeof said.body === 'string' ? said.body : JSON.stringify(said.body ?? {});
      res.writeHead(said.status ?? 200, said.headers).end(bytes);
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fingerprint: certificate.fingerprint,
    username: 'empfang',
    password: 'Sehr-geheim-77',
    asked,
    times: (what) => asked.filter(({ method, path }) => `${method} ${path}` === what).length,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
