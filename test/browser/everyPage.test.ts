import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findBrowser } from '../../scripts/tasks/browser.mjs';
import { pagePaths } from '../../src/http/pages/pagePaths.js';
import { startBrowser } from '../support/browser.js';
import { findAccessibilityIssues, furnish, openTab, waitForContent } from '../support/pages.js';
import { withService } from '../support/service.js';
import { signInFirst, type Browser as SignedIn } from '../support/web.js';

/** `npm run show:screenshots` keeps pictures of each page there: those of the documentation, or all. */
const { SCREENSHOTS: pictures, SCREENSHOTS_OF: wanted = '-en-(light-1440|dark-390)$' } = process.env;

const inBrowser = (await findBrowser()) ? describe : describe.skip;
const service = withService();
let browser: Browser | undefined;
let admin: SignedIn;

beforeAll(async () => {
  if (inBrowser === describe.skip) return;
  browser = await startBrowser();
  admin = await signInFirst(service);
  await furnish(service, admin);
  if (pictures !== undefined) await mkdir(pictures, { recursive: true });
});
afterAll(() => browser?.close());

const widths = [390, 1440];
const schemes = ['light', 'dark'] as const;

const nameOf = (path: string): string => (path === '/' ? 'overview' : path.slice(1));

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined && new RegExp(wanted).test(name))
    await page.screenshot({ path: join(pictures, `${name}.png`) });
};

/** What is wrong with a page, in both colour schemes and on both kinds of screen. */
const lookAt = async (page: Page, name: string): Promise<string[]> => {
  const issues: string[] = [];
  for (const colorScheme of schemes)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      const where = `${name}-${colorScheme}-${String(width)}`;
      const found = await findAccessibilityIssues(page);
      issues.push(...found.map((issue) => `${where}: ${issue}`));
      const overflow = await page.evaluate(`document.documentElement.scrollWidth - innerWidth`);
      if (Number(overflow) > 0) issues.push(`${where}: is ${String(overflow)} pixels too wide`);
      await takePicture(page, where);
    }
  return issues;
};

inBrowser.each(['de', 'en'] as const)('in the language %s', (language) => {
  beforeAll(() => admin.put('/account/language', { language }));

  test.each([...pagePaths].filter((path) => path !== '/first-start'))(
    '%s has no errors, asks no other host and is accessible',
    async (path) => {
      const { context, page, complaints } = await openTab(browser!, service, {
        cookie: admin.cookie,
        language,
      });
      await page.goto(service.url + path);
      await waitForContent(page);
      expect(await page.evaluate(`document.documentElement.lang`)).toBe(language);
      expect(await lookAt(page, `${nameOf(path)}-${language}`)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  test.each([
    ['sign-in', '/'],
    ['first-start', '/first-start#token=x'],
  ])('%s has no errors, asks no other host and is accessible', async (name, path) => {
    const { context, page, complaints } = await openTab(browser!, service, { language });
    await page.goto(service.url + path);
    await waitForContent(page);
    expect(await lookAt(page, `${name}-${language}`)).toEqual([]);
    // The browser itself tells of every answer that is an error.
    expect(complaints.filter((complaint) => !complaint.includes('status of 401'))).toEqual([]);
    await context.close();
  });
});
