import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findFaultyControls } from '../support/controls.js';
import { findAccessibilityIssues, waitForContent } from '../support/pages.js';

/** The pages in other languages than German and English, on a phone. */
describeInBrowser(
  'pages in other languages',
  (browser) => {
    const api = withAdmin({ site: {} });
    let page: Page;
    let kiosk: string;

    beforeAll(async () => {
      const profile = await api.admin.post('/profiles', { name: 'Day', maxUses: 1, expireMinutes: 1440 });
      const { id: profileId } = profile.body as { id: number };
      const values = { siteId: api.siteId, profileId, perHour: 20, asksName: true, name: 'Lobby' };
      ({ path: kiosk } = (await api.admin.post('/kiosks', values)).body as { path: string });
    });
    afterEach(() => page.close());

    const open = async (language: string, path: string, cookie = ''): Promise<void> => {
      ({ page } = await browser.open(api, { language, cookie, width: 390 }));
      await page.goto(api.url + path);
      await waitForContent(page);
    };
    /** The language of the document, and the direction in which it is read. */
    const untilShownIn = (language: string, direction: 'ltr' | 'rtl'): Promise<void> =>
      page.locator(`html[lang=${language}][dir=${direction}]`).waitFor();

    test('a kiosk in a Persian browser is written from right to left, without faults', async () => {
      await open('fa', kiosk);
      await page.getByRole('button', { name: 'دریافت کد دسترسی' }).waitFor();
      await untilShownIn('fa', 'rtl');
      expect(await findAccessibilityIssues(page)).toEqual([]);
      expect(await findFaultyControls(page)).toEqual([]);
      await page.getByRole('textbox').fill('Zoë');
      await page.getByRole('button', { name: 'دریافت کد دسترسی' }).click();
      await page.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ }).waitFor();
      expect(await findAccessibilityIssues(page)).toEqual([]);
      expect(await findFaultyControls(page)).toEqual([]);
    });

    test.each([
      ['fr-CA', 'fr', '/desk', 'Réception'],
      ['it', 'it', '/vouchers', 'Trova voucher'],
      ['es-MX', 'es', '/sites', 'Sedes'],
      ['nl', 'nl', '/system', 'Systeem'],
      ['pl', 'en', '/kiosks', 'Kiosks'],
    ] as const)(
      'a browser in %s signs in in %s, in which %s can be shown',
      async (language, used, path, title) => {
        await open(language, '/');
        await untilShownIn(used, 'ltr');
        expect(await findFaultyControls(page)).toEqual([]);
        await page.close();
        await api.admin.put('/account/language', { language: used });
        await open('de', path, api.admin.cookie);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        await untilShownIn(used, 'ltr');
        expect(await findFaultyControls(page)).toEqual([]);
      },
    );
  },
  { mayComplain: /status of 401/ },
);
