import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { pagePaths } from '../../src/pages/pagePaths.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { furnish, untilTitle, waitForContent } from '../support/pages.js';

const script = `<img src=x onerror=alert(1)>{{7*7}}"'`;

/** Pages that show nothing that others have typed. */
const ownPages = new Set([
  '/account',
  '/system',
  '/first-start',
  '/set-password',
  '/mail',
  '/sms',
  '/branding',
]);

describeInBrowser('script in what people type', (browser) => {
  const api = withAdmin();
  let page: Page;
  /** With its token. */
  let kioskPath = '';
  beforeAll(async () => {
    await furnish(api, api.admin, script);
    const [site] = await api.tables.sites.all();
    const [profile] = await api.tables.profiles.all();
    const kiosk = { siteId: site?.id, profileId: profile?.id, perHour: 20, asksName: true };
    const added = await api.admin.post('/kiosks', kiosk);
    ({ path: kioskPath } = added.body as WebSchema<'CreatedKiosk'>);
    const unlimited = { maxExpireMinutes: null, maxUses: null, maxCount: null, maxPerDay: null };
    const limit = { role: 'staff', siteId: site?.id, allowsCustom: true, requiresName: false, ...unlimited };
    expect((await api.admin.post('/order-limits', limit)).status).toBe(201);
    ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
  });

  /** Opens an address as an administrator, and returns what can be read there. A script that ran is a complaint. */
  const read = async (address: string): Promise<string> => {
    await page.goto(api.url + address);
    await waitForContent(page);
    return page.locator('body').innerText();
  };

  test.each(pagePaths.filter((path) => !ownPages.has(path)))('is text on %s', async (path) => {
    expect(await read(path === '/kiosk' ? kioskPath : path)).toContain(script);
  });

  test('is text on every page as the title of the web UI', async () => {
    expect((await api.admin.put('/branding', { title: script, colour: null })).status).toBe(200);
    // In the header, and in both tabs and both pages of the preview.
    expect((await read('/branding')).split(script)).toHaveLength(6);
    await untilTitle(page, `Erscheinungsbild · ${script}`);
    expect(await read('/set-password')).toContain(script);
  });

  test.each(['/?x=', '/keys?x=', '/audit?actorName=', '/keys#'])(
    'does not run from the address: %s',
    (address) => read(address + encodeURIComponent(script)),
  );
});
