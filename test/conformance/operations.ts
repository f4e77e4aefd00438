import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw } from '../support/rawSocket.js';
import { refusal, unauthorized } from '../support/refusal.js';
import type { Answer, RequestOptions, TestService } from '../support/service.js';
import { hideTable } from '../support/serviceInternals.js';

/** One good request of an operation, to a service that has a site with the id 1. */
export type SendRequest = (service: TestService, options: RequestOptions) => Promise<Answer>;

/** What every operation answers to a request without a valid key. */
export const testUnauthorized = (ask: SendRequest): void => {
  const api = withApi();

  test('a request without a key is answered 401 with WWW-Authenticate: Bearer', async () => {
    const answer = await ask(api, {});
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('a request with an unknown key is answered 401', async () => {
    expect(await ask(api, { key: `uvt_${'0'.repeat(40)}` })).toMatchObject(unauthorized);
  });
};

/** What every operation answers when a key has used up its limit. */
export const testRateLimited = (ask: SendRequest): void => {
  const api = withApi();

  test("exceeding the key's rate limit gives 429 with Retry-After in whole seconds", async () => {
    const key = await api.addKey({ rateLimit: 1 });
    expect((await ask(api, { key })).status).toBeLessThan(300);
    const { status, headers, body } = await ask(api, { key });
    expect(status).toBe(429);
    expect(headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(body).toEqual({
      error: 'rate_limited',
      message: `Zu viele Anfragen, bitte in ${headers['retry-after']!} s erneut versuchen`,
    });
  });
};

/** What every operation answers while the database can't be read. */
export const testServerError = (ask: SendRequest): void => {
  const api = withApi();

  test("an exception gives 500 server_error with the exception's text, and passes with its cause", async () => {
    const key = await api.addKey({ rateLimit: 10 });
    expect((await ask(api, { key })).status).toBeLessThan(300);
    const show = await hideTable(api, 'revisions');
    const answer = await ask(api, { key });
    await show();
    expect(answer).toMatchObject(refusal(500, 'server_error', 'SQLITE_ERROR: no such table: revisions'));
    expect(answer.headers['ratelimit-remaining']).toBe('8');
    expect((await ask(api, { key })).status).toBeLessThan(300);
  });
};

/** What every operation answers while as many requests are in flight as may be. */
export const testUnavailable = (ask: SendRequest): void => {
  const api = withApi({ env: { MAX_REQUESTS_IN_FLIGHT: '1' } });

  test('one request too many is answered 503 at once, with Retry-After, and is not counted', async () => {
    const key = await api.addKey({ rateLimit: 2 });
    const other = await openRaw(api.url);
    // The service asks for the body, so it has begun with this one.
    other.write(
      `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    );
    expect((await other.answered(1))[0]?.status).toBe(100);
    const refused = await ask(api, { key });
    expect(refused).toMatchObject(
      refusal(
        503,
        'unavailable',
        'Der Dienst ist überlastet oder nicht bereit, bitte in 1 s erneut versuchen',
      ),
    );
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.headers).not.toHaveProperty('ratelimit-limit');
    other.write('{}');
    expect((await other.answered(2))[1]?.status).toBe(400);
    other.socket.destroy();
    expect((await ask(api, { key })).status).toBeLessThan(300);
  });

  test('what is outside the contract goes on meanwhile', async () => {
    expect((await api.get('/healthz')).status).toBe(200);
    expect((await api.get('/openapi.php')).status).toBe(200);
  });
};
