import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hideTable } from '../support/inside.js';
import { refusal, unauthorized } from '../support/refusal.js';
import { startService, type Answer, type RequestOptions, type TestService } from '../support/service.js';

/** One good request of an operation, to a service that has a site with the id 1. */
export type Ask = (service: TestService, options: RequestOptions) => Promise<Answer>;

const withSite = (): (() => TestService) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.addSite();
  });
  afterAll(() => service.stop());
  return () => service;
};

/** What every operation answers to a request without a valid key. */
export const testUnauthorized = (ask: Ask): void => {
  const service = withSite();

  test('a request without a key is answered 401 with WWW-Authenticate: Bearer', async () => {
    const answer = await ask(service(), {});
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('a request with an unknown key is answered 401', async () => {
    expect(await ask(service(), { key: `uvt_${'0'.repeat(40)}` })).toMatchObject(unauthorized);
  });
};

/** What every operation answers when a key has used up its limit. */
export const testRateLimited = (ask: Ask): void => {
  const service = withSite();

  test("exceeding the key's rate limit gives 429 with Retry-After in whole seconds", async () => {
    const key = await service().addKey({ rateLimit: 1 });
    expect((await ask(service(), { key })).status).toBeLessThan(300);
    const { status, headers, body } = await ask(service(), { key });
    expect(status).toBe(429);
    expect(headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(body).toEqual({
      error: 'rate_limited',
      message: `Zu viele Anfragen, bitte in ${headers['retry-after']!} s erneut versuchen`,
    });
  });
};

/** What every operation answers while the database can't be read. */
export const testServerError = (ask: Ask): void => {
  const service = withSite();

  test("an exception gives 500 server_error with the exception's text, and passes with its cause", async () => {
    const key = await service().addKey({ rateLimit: 10 });
    expect((await ask(service(), { key })).status).toBeLessThan(300);
    const show = await hideTable(service(), 'revisions');
    const answer = await ask(service(), { key });
    await show();
    expect(answer).toMatchObject(refusal(500, 'server_error', 'SQLITE_ERROR: no such table: revisions'));
    expect(answer.headers['ratelimit-remaining']).toBe('8');
    expect((await ask(service(), { key })).status).toBeLessThan(300);
  });
};
