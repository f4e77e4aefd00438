import { describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { exchange } from '../support/rawSocket.js';
import { refusal } from '../support/refusal.js';

const notFound = refusal(404, 'not_found', 'Diese Adresse gibt es nicht');

describe('without BASE_PATH', () => {
  const api = withApi();

  testCases(['/nothing', '/site', '/sites.php/', '/SITES.PHP', '/api/sites.php', '/v1/sites.php'])(
    'an unknown path gives 404 not_found with a message [path-unknown]',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await api.request(method, path);
        expect(answer).toMatchObject(notFound);
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    },
  );

  testCases(['//sites.php', '///sites.php', 'http://localhost//sites.php'])(
    'repeated slashes count as one [path-repeated-slashes]',
    async (target) => {
      const [answer] = await exchange(
        api.url,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\n\r\n`,
      );
      expect(answer?.status).toBe(200);
    },
  );

  testCases(['//healthz', '//openapi.php', '//docs//swagger-ui.css', '//'])(
    'repeated slashes count as one outside the operations too',
    async (path) => {
      expect((await api.get(path)).status).toBe(200);
    },
  );

  test('slashes in a query stay as they are', async () => {
    expect((await api.get('/vouchers.php?x=//&site_id=1', { key: api.key })).status).toBe(200);
  });

  test('a query does not change the path', async () => {
    expect((await api.get('/sites.php?x=/nothing', { key: api.key })).status).toBe(200);
    expect(await api.get('/nothing?x=/sites.php')).toMatchObject(notFound);
  });

  test('paths carry no version segment and no version header is used [version-none-in-requests]', async () => {
    const headers = { 'Api-Version': '99', Accept: 'application/vnd.voucher.v99+json' };
    expect((await api.get('/sites.php', { key: api.key, headers })).status).toBe(200);
  });
});
