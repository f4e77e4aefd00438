import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startService, type Answer, type TestService } from '../support/service.js';

let service: TestService;
let page: Answer;

beforeAll(async () => {
  service = await startService();
  page = await service.get('/');
});
afterAll(() => service.stop());

test('the front page is HTML that says what this is and where to go', () => {
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).toContain('<title>voucherd</title>');
  expect(page.text).toContain('href="/openapi.php"');
});

test('every link on the front page leads somewhere', async () => {
  const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect((await service.get(link)).status).toBe(200);
});

test('pages have a strict Content-Security-Policy and take nothing from other hosts', () => {
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).not.toMatch(/script-src|unsafe-eval|\*|https?:/);
  expect(page.text).not.toMatch(/<script|https?:\/\//);
});

test('pages are neither sniffed nor told to others, and do not name their framework', () => {
  expect(page.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  expect(page.headers).not.toHaveProperty('x-powered-by');
});
