import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { withApi } from '../support/api.js';
import { bodyOf, sendRaw } from '../support/rawSocket.js';
import type { Answer } from '../support/service.js';

const urlIn = (text: string): string => (parse(text) as { servers: { url: string }[] }).servers[0]!.url;

describe.each(['/openapi.php', '/openapi.yaml'])('servers[0].url of %s', (path) => {
  describe('without settings', () => {
    const api = withApi();
    const urlFor = async (headers: Record<string, string>): Promise<string> =>
      urlIn((await api.get(path, { headers })).text);

    test.each([
      'api.example.org',
      'api.example.org:8080',
      'localhost:3000',
      '192.0.2.1',
      '[2001:db8::1]:8443',
      'xn--mller-kva.example',
      'my_host',
    ])("is http and the request's Host header: %s [openapi-server-url openapi-yaml]", async (host) => {
      expect(await urlFor({ Host: host })).toBe(`http://${host}`);
    });

    test('is http://localhost if there is no Host header, as in HTTP/1.0 [openapi-server-localhost]', async () => {
      const answer = await sendRaw(api.url, `GET ${path} HTTP/1.0\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(urlIn(bodyOf(answer))).toBe('http://localhost');
    });

    test('X-Forwarded-Proto and X-Forwarded-Host do not count from anybody else than a trusted proxy [openapi-trusted-proxies]', async () => {
      const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example' };
      expect(await urlFor({ Host: 'api.example.org', ...forwarded })).toBe('http://api.example.org');
    });

    test.each([
      'a b',
      'evil.example/path',
      'user@evil.example',
      'evil.example?x',
      'evil.example#x',
      'evil.example:port',
      'evil.example:99999',
      '"><script>alert(1)</script>',
      '[::::]',
      '[fe80::1%eth0]',
      '[fe80::1%25eth0]:8443',
      '-',
      'a, b',
      'évil',
    ])(
      'a Host header that is not a valid host gives 400, never a reflected value: %p [openapi-host-invalid openapi-host-zone]',
      async (host) => {
        const answer = await api.get(path, { headers: { Host: host } });
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual({ error: 'invalid_request', message: expect.any(String) });
        if (host.length > 3) expect(answer.text).not.toContain(host);
      },
    );
  });

  describe('with BASE_PATH=/api/v/', () => {
    const api = withApi({ env: { BASE_PATH: '/api/v/' } });

    test('ends with the base path, without a trailing slash [openapi-server-url]', async () => {
      const { text } = await api.get(path, { headers: { Host: 'api.example.org' } });
      expect(urlIn(text)).toBe('http://api.example.org/api/v');
    });
  });

  describe.each(['127.0.0.1', '10.0.0.0/8, 127.0.0.0/8'])('with TRUST_PROXY=%s', (TRUST_PROXY) => {
    const api = withApi({ env: { TRUST_PROXY } });
    const get = (headers: Record<string, string>): Promise<Answer> => api.get(path, { headers });

    test('X-Forwarded-Proto, whatever its case, and X-Forwarded-Host count [openapi-trusted-proxies]', async () => {
      for (const scheme of ['https', 'HTTPS', 'Https']) {
        const { text } = await get({ 'X-Forwarded-Proto': scheme, 'X-Forwarded-Host': 'api.example.org' });
        expect(urlIn(text)).toBe('https://api.example.org');
      }
    });

    test('is localhost if the client of the proxy sent no Host header [openapi-server-localhost]', async () => {
      const proxied = 'X-Forwarded-Proto: https\r\nConnection: close\r\n\r\n';
      for (const hosts of ['', 'X-Forwarded-Host:\r\nHost: 127.0.0.1:3000\r\n']) {
        const answer = await sendRaw(api.url, `GET ${path} HTTP/1.1\r\n${hosts}${proxied}`);
        expect(urlIn(bodyOf(answer))).toBe('https://localhost');
      }
    });

    test('a cache is told what the address depends on', async () => {
      const { headers } = await get({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example.org' });
      expect(headers.vary).toBe('Host, X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Prefix');
    });

    test('the first of several values counts', async () => {
      const { text } = await get({
        'X-Forwarded-Proto': 'https, http',
        'X-Forwarded-Host': 'api.example.org, inner.example',
      });
      expect(urlIn(text)).toBe('https://api.example.org');
    });

    test('a scheme other than http and https is not reflected', async () => {
      const { text } = await get({ Host: 'x.example', 'X-Forwarded-Proto': 'javascript' });
      expect(urlIn(text)).toBe('http://x.example');
    });

    test('an X-Forwarded-Host that is not a valid host gives 400', async () => {
      const answer = await get({ 'X-Forwarded-Host': 'evil.example/<b>' });
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('evil');
    });
  });

  describe('with TRUST_PROXY=192.0.2.1', () => {
    const api = withApi({ env: { TRUST_PROXY: '192.0.2.1' } });

    test('another peer is not trusted', async () => {
      const { text, headers } = await api.get(path, {
        headers: { Host: 'api.example.org', 'X-Forwarded-Proto': 'https' },
      });
      expect(urlIn(text)).toBe('http://api.example.org');
      expect(headers.vary).toBe('Host');
    });
  });
});
