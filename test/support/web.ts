import { expect } from '@jest/globals';
import type { Answer, RequestOptions, TestService } from './service.js';

/** Somebody who is signed in to the pages with a browser. */
export interface Browser {
  readonly cookie: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

export const adminPassword = 'richtig Pferd Batterie 47';

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieOf = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? [])[0]?.split(';')[0] ?? '';

/** A browser of one of our own pages, with a cookie or without. */
export const makeBrowser = (service: Pick<TestService, 'request'>, cookie = ''): Browser => {
  const request: Browser['request'] = (method, path, { headers, ...options } = {}) =>
    service.request(method, `/web${path}`, {
      ...options,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(cookie !== '' && { Cookie: cookie }),
        ...('body' in options && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
  const withBody =
    (method: string) =>
    (path: string, body?: unknown): Promise<Answer> =>
      request(method, path, body === undefined ? {} : { body });
  return {
    cookie,
    request,
    get: (path) => request('GET', path),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: (path) => request('DELETE', path),
  };
};

/** Makes the first administrator of a service, as its terminal says how, and signs in. */
export const signInFirst = async (service: TestService, name = 'Anna Berger'): Promise<Browser> => {
  const address = await service.app.firstStartUrl();
  const token = address?.split('#token=')[1] ?? '';
  const body = { token, name, password: adminPassword, language: 'de' };
  const answer = await makeBrowser(service).post('/first-administrator', body);
  expect(answer).toMatchObject({ status: 201, body: { name, role: 'admin' } });
  return makeBrowser(service, cookieOf(answer));
};

/** Signs in, and returns the browser. */
export const signIn = async (
  service: TestService,
  login: string,
  password: string,
  code?: string,
): Promise<Browser> => {
  const answer = await makeBrowser(service).post('/session', { login, password, ...(code && { code }) });
  expect(answer).toMatchObject({ status: 200, body: { outcome: 'signed-in' } });
  return makeBrowser(service, cookieOf(answer));
};

/** Adds a user, and signs in as them with a password of their own. */
export const signInNew = async (
  service: TestService,
  admin: Browser,
  user: { name: string; role: 'viewer' | 'staff' | 'admin'; siteIds?: readonly number[] },
): Promise<Browser> => {
  const created = await admin.post('/users', user);
  expect(created.status).toBe(201);
  const { password } = created.body as { password: string };
  const first = await signIn(service, user.name, password);
  const changed = await first.put('/account/password', { current: password, password: adminPassword });
  expect(changed.status).toBe(204);
  return makeBrowser(service, cookieOf(changed));
};
