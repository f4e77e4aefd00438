import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { changeUser, untilTitle } from '../support/pages.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

/** What the web UI is for, in one tab. The other files look closer. */
describeInBrowser('in a browser', (browser) => {
  const api = withAdmin({ site: { name: 'Lobby' } });
  let staff: SignedIn;
  let page: Page;
  let code = '';

  beforeAll(async () => {
    await api.admin.put('/account/language', { language: 'en' });
    await api.admin.post('/profiles', { name: 'Day guest', maxUses: 1, expireMinutes: 1440 });
    staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
    await staff.put('/account/language', { language: 'en' });
    ({ page } = await browser.open(api, { cookie: api.admin.cookie, language: 'en' }));
  });

  test('an administrator makes a key of the scope and the limit that they choose, which works [key-by-administrator key-scope-and-limit-chosen limit-form-proposes-60]', async () => {
    await page.goto(`${api.url}/keys`);
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Booking');
    const limit = dialog.getByLabel('Requests per minute');
    expect(await limit.inputValue()).toBe('60');
    await limit.fill('7');
    await dialog.getByLabel('Read only').check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('curl').waitFor();
    const key = /uvt_[0-9a-f]{40}/.exec(await dialog.innerText())?.[0] ?? '';
    expect(await api.get('/sites.php', { key })).toMatchObject({
      status: 200,
      body: { sites: [{ name: 'Lobby' }] },
      headers: { 'ratelimit-limit': '7' },
    });
    expect((await api.post('/vouchers.php', {}, { key })).status).toBe(403);
  });

  test('the desk says which limits the controller of a site can not keep [desk-limit-not-kept]', async () => {
    await api.addSite({ name: 'Annexe', knobs: { lacks: ['rates'] } });
    await page.goto(`${api.url}/desk`);
    await page.getByLabel('Site').selectOption('Annexe');
    await page.getByRole('radio', { name: /^Custom/ }).check();
    const why = page.getByText('The controller of this site can’t limit the speed.');
    await why.first().waitFor();
    // Said of download and of upload.
    expect(await why.count()).toBe(2);
    await page.getByLabel('Site').selectOption('Lobby');
    await why.first().waitFor({ state: 'detached' });
  });

  test('staff make a voucher and print it', async () => {
    await changeUser(page, api.url, staff.cookie);
    await page.goto(api.url);
    await page.getByLabel('For whom?').fill('Room 12');
    await page.keyboard.press('Enter');
    const shown = page.getByRole('region', { name: 'Result' }).getByRole('heading');
    await shown.getByText(/^\d{5}-\d{5}$/).waitFor();
    code = await shown.innerText();
    expect(await controllerVouchers(api, api.siteId)).toMatchObject([
      { code: code.replace('-', ''), expire_minutes: 1440, max_uses: 1 },
    ]);
    await page.evaluate(`window.print = () => { document.title = 'printing'; }`);
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await untilTitle(page, 'printing');
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Front desk').first().waitFor({ state: 'hidden' });
    const printed = await page.locator('body').innerText();
    expect(printed).toContain(code);
    expect(printed).not.toContain('Front desk');
    await page.emulateMedia({ media: 'screen' });
  });

  test('the list shows the voucher', async () => {
    await page.getByRole('link', { name: 'Find vouchers' }).click();
    const row = page.getByRole('listitem').filter({ hasText: code });
    await row.getByText('Room 12').waitFor();
    await row.getByText('Valid').waitFor();
  });
});
