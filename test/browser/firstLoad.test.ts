import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findBrowser } from '../../scripts/tasks/browser.mjs';
import { startBrowser } from '../support/browser.js';
import { openTab, waitForContent } from '../support/pages.js';
import { withService } from '../support/service.js';
import { signInFirst, type Browser as SignedIn } from '../support/web.js';

/** Script and style together, compressed. */
const maxFirstLoadBytes = 250_000;

const inBrowser = (await findBrowser()) ? describe : describe.skip;
const service = withService();
let browser: Browser | undefined;
let admin: SignedIn;
beforeAll(async () => {
  if (inBrowser === describe.skip) return;
  browser = await startBrowser();
  admin = await signInFirst(service);
});
afterAll(() => browser?.close());

/** How many bytes of scripts and styles come over the network until a page is shown. */
const loadedBytes = async (path: string, cookie: string): Promise<number> => {
  const { context, page } = await openTab(browser!, service, { cookie });
  let bytes = 0;
  page.on('response', (response) => {
    if (response.url().includes('/assets/')) bytes += Number(response.headers()['content-length']);
  });
  await page.goto(service.url + path);
  await waitForContent(page);
  await context.close();
  return bytes;
};

inBrowser('what a browser loads at first', () => {
  test.each([
    ['the sign-in', '/', () => ''],
    ['the overview', '/', () => admin.cookie],
    ['the keys', '/keys', () => admin.cookie],
  ])('%s fits the budget', async (name, path, cookie) => {
    const bytes = await loadedBytes(path, cookie());
    if (process.env.SHOW_SIZES) console.log(`${name}: ${String(bytes)} bytes`);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(maxFirstLoadBytes);
  });
});
