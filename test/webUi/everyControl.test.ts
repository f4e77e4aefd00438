import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { pagePaths } from '../../src/pages/pagePaths.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { prepareTour, type PageTour } from '../support/overlays.js';
import { furnish, goTo, waitForContent } from '../support/pages.js';

/** Without a session, or only a way to another page. */
const otherPaths = ['/', '/sign-in', '/set-password', '/first-start', '/kiosk'];
/** Nothing lies over these. */
const plainPaths = ['/reports', '/account', '/mail', '/sms', '/audit', '/system'];

const script = `<img src=x onerror=alert(1)>{{7*7}}"'`;
/** What people really type, and longer, and what nobody should: users and profiles have up to 100 characters. */
const suffix = ` 🏨 im Kongress- und Ferienhotel am Ostseestrand ${script}`;
/** Pages that show nothing that others have typed. */
const ownPages = ['/account', '/system', '/mail', '/sms'];

/**
 * Every page of the router, and whatever its buttons open: a dialog or a menu that is added is found here by its role.
 * All of it on the narrowest phone, and dark: `everyPage` has light pages on a desk.
 */
describeInBrowser(
  'in German, with long and hostile texts, no control is cut, small or hidden, and all is accessible',
  (browser) => {
    const api = withAdmin({
      env: { SMTP_URL: 'smtp://mail.example.invalid:587', MAIL_FROM: 'wifi@example.org' },
    });
    let page: Page;
    let tour: PageTour;
    /** With its token. */
    let kioskPath = '';

    beforeAll(async () => {
      await furnish(api, api.admin, suffix);
      const [site] = await api.tables.sites.all();
      const [profile] = await api.tables.profiles.all();
      const siteId = site?.id;
      const kiosk = { siteId, profileId: profile?.id, perHour: 20, asksName: true, name: `Kiosk${suffix}` };
      ({ path: kioskPath } = (await api.admin.post('/kiosks', kiosk)).body as WebSchema<'CreatedKiosk'>);
      const unlimited = { maxExpireMinutes: null, maxUses: null, maxCount: null, maxPerDay: 50 };
      const limit = { role: 'staff', siteId, allowsCustom: true, requiresName: true, ...unlimited };
      expect((await api.admin.post('/order-limits', limit)).status).toBe(201);
      const brand = { title: `Gä${script}`, colour: '#ffff00' };
      expect((await api.admin.put('/branding', brand)).status).toBe(200);
      const { cookie } = api.admin;
      ({ page } = await browser.open(api, { cookie, language: 'de', width: 320, colorScheme: 'dark' }));
      tour = await prepareTour(page);
      await page.goto(`${api.url}/overview`);
      await tour.settle();
    });

    const show = async (path: string): Promise<void> => {
      await goTo(page, api.url + path);
      await tour.settle();
    };
    const textOf = async (): Promise<string> => (await page.locator('main').textContent()) ?? '';

    test.each(pagePaths.filter((path) => !otherPaths.includes(path)))('%s', async (path) => {
      await show(path);
      if (!ownPages.includes(path)) expect(await textOf()).toContain(script);
      const issues = await tour.look(path);
      const found = await tour.openAll(path, path === '/overview' ? 'main, header' : 'main');
      expect([...issues, ...found.issues]).toEqual([]);
      expect(found.opened.length > 0).toBe(!plainPaths.includes(path));
    });

    test('the help with keys, ticked vouchers, and questions that lie over others', async () => {
      const dialogs = page.getByRole('dialog');
      const issues: string[] = [];
      const lookAt = async (where: string, name: string | RegExp): Promise<void> => {
        await page.getByRole('dialog', { name }).waitFor();
        await tour.settle();
        issues.push(...(await tour.look(where, '[role=dialog]')));
      };
      await show('/desk');
      // In the field for a name, it is a letter.
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('?');
      await lookAt('/desk > ?', 'Tasten');
      await page.keyboard.press('Escape');
      await show('/vouchers');
      await page
        .getByRole('checkbox', { name: /auswählen$/ })
        .first()
        .check();
      const bar = page.getByRole('region', { name: 'Auswahl', exact: true });
      await bar.waitFor();
      issues.push(...(await tour.look('/vouchers > ticked', '[role=region]')));
      await bar.getByRole('button', { name: 'Sperren' }).click();
      await lookAt('/vouchers > ticked > revoke', /sperren\?/);
      await page.keyboard.press('Escape');
      await show('/users');
      await page.getByRole('button', { name: 'Einrichten' }).click();
      await dialogs.getByLabel('Adresse des Anbieters').fill('https://id.example.org');
      await dialogs.getByRole('button', { name: 'Schließen', exact: true }).click();
      await lookAt('/users > single sign-on > discard', /verwerfen/);
      await dialogs.getByRole('button', { name: 'Verwerfen' }).click();
      await dialogs.first().waitFor({ state: 'detached' });
      expect(issues).toEqual([]);
    });

    test('the navigation of a phone', async () => {
      await page.getByRole('button', { name: 'Menü', exact: true }).click();
      expect(await tour.look('navigation', 'nav')).toEqual([]);
    });

    test('script is text in a kiosk, and does not run from an address', async () => {
      for (const path of ['/?x=', '/audit?actorName=', '/keys#']) {
        await page.goto(api.url + path + encodeURIComponent(script));
        await waitForContent(page);
      }
      await page.goto(api.url + kioskPath);
      await waitForContent(page);
      expect(await textOf()).toContain(script);
    });

    test('an address without a page shows one that leads on', async () => {
      await page.goto(`${api.url}/no-such-page/at-all`);
      await page.getByRole('heading', { level: 1, name: 'Diese Seite gibt es nicht' }).waitFor();
      expect(await tour.look('/no-such-page', 'main')).toEqual([]);
      await page.getByRole('link', { name: 'Zum Anfang' }).waitFor();
    });

    test('the API reference', async () => {
      await page.goto(`${api.url}/docs`);
      await page.locator('.opblock').first().waitFor();
      await page.locator('#servers[aria-label]').waitFor();
      await tour.settle();
      expect(await tour.look('/docs', 'body')).toEqual([]);
    });
  },
  { mayComplain: /status of 404|Failed to load resource|net::ERR_FAILED/ },
);
