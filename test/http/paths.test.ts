import { beforeAll, describe, expect, test } from '@jest/globals';
import { exchange } from '../support/rawSocket.js';
import { refusal } from '../support/refusal.js';
import { withService, type TestService } from '../support/service.js';

const notFound = refusal(404, 'not_found', 'Diese Adresse gibt es nicht');

const withServiceAndSite = (env: Record<string, string> = {}): TestService => {
  const service = withService({ env });
  beforeAll(async () => {
    await service.addSite();
  });
  return service;
};

describe('without BASE_PATH', () => {
  const service = withServiceAndSite();

  test.each(['/nothing', '/site', '/sites.php/', '/SITES.PHP', '/api/sites.php', '/v1/sites.php'])(
    'an unknown path gives 404 not_found with a message: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await service.request(method, path);
        expect(answer).toMatchObject(notFound);
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    },
  );

  test.each(['//sites.php', '///sites.php', 'http://localhost//sites.php'])(
    'repeated slashes count as one: %s',
    async (target) => {
      const key = await service.addKey();
      const [answer] = await exchange(
        service.url,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`,
      );
      expect(answer?.status).toBe(200);
    },
  );

  test.each(['//healthz', '//openapi.php', '//docs//swagger-ui.css', '//'])(
    'repeated slashes count as one outside the operations too: %s',
    async (path) => {
      expect((await service.get(path)).status).toBe(200);
    },
  );

  test('slashes in a query stay as they are', async () => {
    const key = await service.addKey();
    expect((await service.get('/vouchers.php?x=//&site_id=1', { key })).status).toBe(200);
  });

  test('a query does not change the path', async () => {
    const key = await service.addKey();
    expect((await service.get('/sites.php?x=/nothing', { key })).status).toBe(200);
    expect(await service.get('/nothing?x=/sites.php')).toMatchObject(notFound);
  });

  test('paths carry no version segment and no version header is used', async () => {
    const key = await service.addKey();
    const headers = { 'Api-Version': '99', Accept: 'application/vnd.voucher.v99+json' };
    expect((await service.get('/sites.php', { key, headers })).status).toBe(200);
  });
});
