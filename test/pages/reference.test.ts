import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findBrowser } from '../../scripts/tasks/browser.mjs';
import { contractFile } from '../../src/config/packagedContracts.js';
import { parseContract } from '../../src/contract/contract.js';
import { withApi } from '../support/api.js';
import { shareBrowser } from '../support/browser.js';
import { openAgain, untilDrawn } from '../support/pages.js';
import { startService, type TestService } from '../support/service.js';

interface Opened {
  readonly page: Page;
  /** What the page complained of, and whom it asked beside the service. */
  readonly complaints: string[];
}

/** Where there is no Chromium and none could be installed, these are reported as skipped. */
const inBrowser = (await findBrowser()) ? describe : describe.skip;

let browser: Browser | undefined;
beforeAll(async () => {
  if (inBrowser === describe) browser = await shareBrowser();
});
afterAll(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

const open = async (service: TestService, colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> => {
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 1400 } });
  // Only to end a test that waits for what does not come: a busy machine may take ten times as long as an idle one.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${service.url}/`) && !url.startsWith('data:')) complaints.push(`asked ${url}`);
  });
  await page.goto(`${service.url}/docs`);
  await page.getByText('Create a voucher').waitFor();
  return { page, complaints };
};

const openReferenceAgain = async (page: Page): Promise<void> => {
  await openAgain(page);
  await page.getByText('Create a voucher').waitFor();
};

inBrowser('the reference under a base path', () => {
  const api = withApi({ env: { BASE_PATH: '/wifi' } });

  test('creates vouchers from its form with a key, without a complaint of the browser', async () => {
    const [key, siteId] = [await api.addKey(), await api.addSite({ name: 'Gästehaus' })];
    const { page, complaints } = await open(api);
    await authorize(page, key);
    await page.getByText('Create a voucher').click();
    const operation = page.locator('.opblock-post');
    expect(await operation.locator('input[placeholder="Idempotency-Key"]').inputValue()).toBe('');
    const answer = operation.locator('.live-responses-table');
    // The second one, too: nothing that only one request may have is filled in.
    for (const name of ['Aus dem Formular', 'Noch einer']) {
      await operation.locator('textarea').fill(JSON.stringify({ site_id: siteId, name }));
      const [answered] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/vouchers.php')),
        operation.getByRole('button', { name: 'Execute' }).click(),
      ]);
      expect(answered.status()).toBe(201);
      await answer.locator('.response-col_status', { hasText: '201' }).waitFor();
      expect(await answer.innerText()).toContain('formatted_code');
    }
    expect(complaints).toEqual([]);
    await page.close();
    const { body } = await api.get(`/vouchers.php?site_id=${siteId}`, { key });
    const { vouchers } = body as { vouchers: { voucher_name: string }[] };
    expect(vouchers.map(({ voucher_name: stored }) => stored.replace(/^.*_/, ''))).toEqual([
      'Noch einer',
      'Aus dem Formular',
    ]);
  });
});

const authorize = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.auth-container input').first().fill(key);
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).first().click();
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();
};

inBrowser('the reference at the root', () => {
  const api = withApi();
  const execute = async (page: Page): Promise<number> => {
    const operation = page.locator('#operations-sites-listSites');
    // An operation that the address names opens at once; a click would close it again.
    if (!page.url().endsWith('/listSites')) await operation.getByText('List the active sites').click();
    await operation.locator('.opblock-body').waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/sites.php')),
      operation.getByRole('button', { name: 'Execute' }).click(),
    ]);
    return answer.status();
  };
  const groundOf = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

  test('keeps the key as long as the tab, or until it is taken back, and shows it nowhere', async () => {
    const { page } = await open(api);
    expect(await groundOf(page)).toBe('rgb(244, 246, 250)');
    expect(await execute(page)).toBe(401);
    await authorize(page, api.key);
    expect(await execute(page)).toBe(200);
    const sample = page.getByRole('region', { name: 'Code samples' }).locator('pre');
    expect(await sample.innerText()).toContain(`${api.url}/sites.php`);
    expect(await page.locator('body').innerText()).not.toContain(api.key);
    await openReferenceAgain(page);
    expect(await execute(page)).toBe(200);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(api.key);
    const other = await page.context().newPage();
    await other.goto(`${api.url}/docs`);
    await other.getByText('Create a voucher').waitFor();
    expect(await execute(other)).toBe(401);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Remove' }).first().click();
    await openReferenceAgain(page);
    expect(await execute(page)).toBe(401);
    await page.context().close();
  });

  test('is dark as the reader has it, and as wide as a phone with an operation open', async () => {
    const { page, complaints } = await open(api, 'dark');
    expect(await groundOf(page)).toBe('rgb(16, 21, 31)');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByText('Create a voucher').click();
    await page.getByRole('region', { name: 'Code samples' }).waitFor();
    await untilDrawn(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

inBrowser('the page in development', () => {
  test('shows a contract that was reloaded, and loads it only then', async () => {
    const service = await startService({ development: true });
    const { page, complaints } = await open(service);
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/openapi.yaml')) loads.push(request.url());
    });
    const source = await readFile(contractFile, 'utf8');
    await service.app.reload(parseContract(source.replace('title: Voucher API', 'title: Gutscheine')));
    await page.getByText('Gutscheine').waitFor();
    expect(loads).toHaveLength(1);
    expect(complaints).toEqual([]);
    await page.close();
    await service.stop();
  });
});

describe('the page', () => {
  const api = withApi();

  test('takes scripts only from the service', async () => {
    const { headers, text } = await api.get('/docs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(text).not.toMatch(/https?:\/\//);
  });

  test('has script and style from the build, and a browser asks whether they have changed', async () => {
    for (const [name, type] of [
      ['reference.js', /^(text|application)\/javascript/],
      ['reference.css', /^text\/css/],
    ] as const) {
      expect((await api.get('/docs')).text).toContain(`"/docs/${name}"`);
      const { status, headers, text } = await api.get(`/docs/${name}`);
      expect([name, status, text.length > 1000]).toEqual([name, 200, true]);
      expect(headers['content-type']).toMatch(type);
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      const known = { 'If-None-Match': String(headers['etag']) };
      expect((await api.get(`/docs/${name}`, { headers: known })).status).toBe(304);
    }
  });

  test('holds no connection open for reloads in production', async () => {
    expect((await api.get('/docs/events')).status).toBe(404);
    expect((await api.get('/docs')).text).not.toContain('data-reloads');
  });
});
