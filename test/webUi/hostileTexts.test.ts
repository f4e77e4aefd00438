import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { pagePaths } from '../../src/http/pages/pagePaths.js';
import { describeInBrowser } from '../support/browser.js';
import { furnish, waitForContent } from '../support/pages.js';
import { withService } from '../support/service.js';
import { signInFirst } from '../support/web.js';

const script = `<img src=x onerror=alert(1)>{{7*7}}"'`;

/** Pages that show nothing that others have typed. */
const ownPages = new Set(['/account', '/system', '/first-start']);

describeInBrowser('script in what people type', (browser) => {
  const service = withService();
  let page: Page;
  /** With its token. */
  let kioskPath = '';
  beforeAll(async () => {
    const admin = await signInFirst(service);
    await furnish(service, admin, script);
    const [site] = await service.service.tables.sites.all();
    const [profile] = await service.service.tables.profiles.all();
    const kiosk = { siteId: site?.id, profileId: profile?.id, perHour: 20, asksName: true };
    const added = await admin.post('/kiosks', kiosk);
    ({ path: kioskPath } = added.body as WebSchema<'CreatedKiosk'>);
    ({ page } = await browser.open(service, { cookie: admin.cookie }));
  });

  /** Opens an address as an administrator, and returns what can be read there. A script that ran is a complaint. */
  const read = async (address: string): Promise<string> => {
    await page.goto(service.url + address);
    await waitForContent(page);
    return page.locator('body').innerText();
  };

  test.each(pagePaths.filter((path) => !ownPages.has(path)))('is text on %s', async (path) => {
    expect(await read(path === '/kiosk' ? kioskPath : path)).toContain(script);
  });

  test.each(['/?x=', '/keys?x=', '/audit?actorName=', '/keys#'])(
    'does not run from the address: %s',
    (address) => read(address + encodeURIComponent(script)),
  );
});
