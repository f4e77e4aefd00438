import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleVariant } from '../../simulators/unifi/settings.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body read as JSON; undefined when it is none. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export type ConsoleClient = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Asks a console over a connection of its own, trusting its certificate and no other. */
export const makeConsoleClient =
  ({ url, certificate }: Pick<UnifiConsole, 'url' | 'certificate'>): ConsoleClient =>
  (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method, headers, ca: certificate, agent: false }, (res) => {
        text(res).then(
          (received) =>
            resolve({
              status: res.statusCode ?? 0,
              headers: res.headers,
              text: received,
              json: parsed(received),
            }),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    });

const parsed = (received: string): unknown => {
  try {
    return JSON.parse(received) as unknown;
  } catch {
    return undefined;
  }
};

/** Where the two variants have the same things. */
export const pathsOf = {
  'unifi-os': { login: '/api/auth/login', network: '/proxy/network' },
  'self-hosted': { login: '/api/login', network: '' },
} as const satisfies Record<ConsoleVariant, unknown>;

/** Logs in and gives what later calls have to send. */
export const logIn = async (
  running: UnifiConsole,
  variant: ConsoleVariant,
): Promise<Record<string, string>> => {
  const { username, password } = running;
  const { headers } = await makeConsoleClient(running)('POST', pathsOf[variant].login, {
    username,
    password,
  });
  const csrf = headers['x-csrf-token'] ?? headers['x-updated-csrf-token'];
  return { cookie: cookieOf(headers), ...(typeof csrf === 'string' && { 'x-csrf-token': csrf }) };
};

/** The cookies that an answer sets, as a request sends them. */
export const cookieOf = (headers: IncomingHttpHeaders): string =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');

/** The claims of the JWT in a cookie. */
export const claimsOf = (cookie: string): Record<string, unknown> => {
  const [, claims = ''] = cookie.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
};
