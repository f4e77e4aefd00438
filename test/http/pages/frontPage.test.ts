import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { makePages } from '../../../src/http/pages/pages.js';
import { makeMetrics } from '../../../src/lib/metrics.js';
import { someIntent } from '../../support/records.js';
import { send, withService, type Answer } from '../../support/service.js';
import { hideTable } from '../../support/serviceInternals.js';

const service = withService();
let page: Answer;

beforeAll(async () => {
  page = await service.get('/');
});

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

test('the front page says how many orders are open at this moment', async () => {
  expect(page.text).toContain('Offene Aufträge: 0');
  const intent = someIntent(await service.addSite());
  await service.service.storage.intents.begin({ intent });
  expect((await service.get('/')).text).toContain('Offene Aufträge: 1');
});

test('the front page is there although the database is not', async () => {
  const repair = await hideTable(service, 'intents');
  try {
    const { status, text } = await service.get('/');
    expect(status).toBe(200);
    expect(text).toContain('Offene Aufträge: unbekannt');
  } finally {
    await repair();
  }
});

test('the front page and the metrics do not wait for a database that does not answer', async () => {
  const metrics = makeMetrics();
  const pages = makePages({
    basePath: '',
    metrics,
    metricsToken: undefined,
    log: pino({ level: 'silent' }),
    checkReady: async () => undefined,
    openIntents: () => new Promise(() => undefined),
  });
  const server = createServer(pages);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await send(url, 'GET', '/')).text).toContain('Offene Aufträge: unbekannt');
    expect((await send(url, 'GET', '/metrics')).status).toBe(200);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    metrics.stop();
  }
});
