import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLoans } from '../src/service.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body read as JSON, or as text where it is none. */
  readonly body: unknown;
}

export interface Loans {
  readonly url: string;
  send(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; type?: string; accept?: string },
  ): Promise<Answer>;
  /** Joins, and returns a token. */
  join(name: string): Promise<string>;
  /** Ends it and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const password = 'correct horse battery';

/** The form of RFC 6749. */
export const signIn = (username: string, password: string): URLSearchParams =>
  new URLSearchParams({ grant_type: 'password', username, password });

/** The service on a free port, with data of its own. */
export const startLoans = async (options: { webhookUrl?: string; clubUrl?: string } = {}): Promise<Loans> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'loans-'));
  let running = await makeLoans({ ...options, dataDir, logLevel: 'silent' });
  let { url } = await running.service.listen({ port: 0 });
  const end = async (): Promise<void> => {
    await running.service.close();
    await running.services.database.close();
  };
  const send: Loans['send'] = async (
    method,
    path,
    { token, body, type = 'application/json', accept } = {},
  ) => {
    // A form brings its own type, with its boundary.
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(accept !== undefined && { Accept: accept }),
        ...(body !== undefined && !isForm && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  };
  return {
    get url() {
      return url;
    },
    send,
    join: async (name) => {
      await send('POST', '/members', { body: { name, password } });
      const { body } = await send('POST', '/token', { body: signIn(name, password) });
      return (body as { access_token: string }).access_token;
    },
    restart: async () => {
      await end();
      running = await makeLoans({ ...options, dataDir, logLevel: 'silent' });
      ({ url } = await running.service.listen({ port: 0 }));
    },
    stop: async () => {
      await end();
      await rm(dataDir, { recursive: true });
    },
  };
};
