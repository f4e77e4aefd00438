import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findBrowser } from '../../scripts/tasks/browser.mjs';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { shareBrowser } from '../support/browser.js';

/** Where there is no Chromium and none could be installed, these are reported as skipped. */
const inBrowser = (await findBrowser()) ? describe : describe.skip;

inBrowser('the simulator’s page in a browser', () => {
  let browser: Browser;
  let running: UnifiConsole;
  let page: Page;
  beforeAll(async () => {
    browser = await shareBrowser();
  });
  beforeEach(async () => {
    running = await startUnifiConsole();
    running.seed(1, { code: '0000000001', name: 'Familie Berger', limit: 2 });
    running.seed(1, { code: '0000000002', name: 'Seminar' });
    page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`${running.url}/simulator`);
  });
  afterEach(async () => {
    await page.close();
    await running.stop();
  });

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  test('a voucher is used until it is used up', async () => {
    await row('Familie Berger').getByRole('button', { name: 'use' }).click();
    await row('Familie Berger').getByText('in use').waitFor();
    expect(running.vouchers()).toMatchObject([{ used: 1 }, { used: 0 }]);
    await row('Familie Berger').getByRole('button', { name: 'use' }).click();
    await row('Familie Berger').getByText('used up').waitFor();
    expect(await row('Familie Berger').getByRole('button', { name: 'use' }).isDisabled()).toBe(true);
  });

  test('a voucher is deleted, and the search stays', async () => {
    await page.getByLabel('Code or name').fill('seminar');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/simulator?search=seminar');
    expect(await row('Familie Berger').count()).toBe(0);
    await row('Seminar').getByRole('button', { name: 'delete' }).click();
    await page.getByText('None.').waitFor();
    expect(page.url()).toMatch(/search=seminar$/);
    expect(running.vouchers()).toMatchObject([{ name: 'Familie Berger' }]);
  });

  test('a fault is set, and taken back', async () => {
    await page.getByLabel('Fault').selectOption('bad-gateway');
    await page.locator('select[name=on]').selectOption('all');
    await page.getByLabel('How often').fill('3');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByRole('heading', { name: 'Out of order' }).waitFor();
    expect(await page.getByLabel('Fault').inputValue()).toBe('bad-gateway');
    expect(await page.getByLabel('How often').inputValue()).toBe('3');
    await page.getByLabel('Fault').selectOption('');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByRole('heading', { name: 'In order' }).waitFor();
  });

  test('every button of the page is one of these', async () => {
    const names = await page.getByRole('button').allTextContents();
    expect([...new Set(names)].sort()).toEqual(['Search', 'Set', 'delete', 'use']);
  });
});
