import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { goTo, untilDrawn, untilValue, waitForContent } from '../support/pages.js';
import { type Browser as SignedIn, signInNew } from '../support/web.js';

/** What is looked for and what lies over a page stands in the address. */
describeInBrowser('links, reload and Back', (browser) => {
  const api = withAdmin({ env: { BASE_PATH: '/wifi' } });
  let page: Page;

  beforeAll(async () => {
    await api.admin.put('/account/language', { language: 'en' });
    const siteId = await api.addSite({ name: 'Nord' });
    const limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };
    for (const name of ['Room 12', 'Room 14']) {
      const order = { siteId, name, count: 1, limits };
      expect((await api.admin.put(`/orders/${crypto.randomUUID()}`, order)).status).toBe(200);
    }
    await api.admin.post('/webhooks', {
      name: 'Team',
      format: 'slack',
      address: 'https://chat.example.org/x',
    });
    ({ page } = await browser.open(api, { cookie: api.admin.cookie, language: 'en' }));
  });

  const openPage = (path: string): Promise<unknown> => page.goto(api.url + path);

  /** The address changes before the page follows it. */
  const shows = (label: string, value: string): Promise<true> => untilValue(page.getByLabel(label), value);

  test('a filter and an open voucher stay after a reload, and Back takes them away one by one', async () => {
    await openPage('/vouchers');
    await page.getByText('2 vouchers', { exact: true }).waitFor();
    await page.getByLabel('Code or name').pressSequentially('room 12');
    await page.getByText('One voucher', { exact: true }).waitFor();
    await page.getByRole('listitem').getByRole('button').click();
    const details = page.getByRole('dialog', { name: 'Voucher' });
    await details.getByText('by Anna Berger').waitFor();
    await page.reload();
    await details.getByText('by Anna Berger').waitFor();
    await shows('Code or name', 'room 12');
    await page.goBack();
    await details.waitFor({ state: 'detached' });
    await page.getByText('One voucher', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('2 vouchers', { exact: true }).waitFor();
    await shows('Code or name', '');
  });

  test('a link leads to a filter, and nonsense in it is left out', async () => {
    await openPage('/vouchers?state=revoked&siteId=x&from=2026-99-99&voucher=-1');
    await page.getByText('Nothing found').waitFor();
    await shows('State', 'revoked');
    await page.getByRole('button', { name: 'Reset filters' }).click();
    await page.getByText('2 vouchers', { exact: true }).waitFor();
    await page.waitForURL(({ search }) => search === '');
  });

  test('an entry of the audit log names the voucher, without its date, in one line', async () => {
    await openPage('/audit?area=voucher');
    const entry = page.getByRole('rowheader').filter({ hasText: 'Voucher created: Room 12' });
    await entry.getByText('Site: Nord').waitFor();
    expect(await entry.innerText()).not.toMatch(/\d{4}-\d\d-\d\d|\n/);
  });

  test('the audit log keeps its filter', async () => {
    await openPage('/audit');
    await page.getByRole('cell').first().waitFor();
    const all = await page.getByRole('row').count();
    await page.getByLabel('Area').selectOption({ value: 'webhook' });
    await page.waitForURL('**/audit?area=webhook');
    await page.reload();
    await page.getByRole('cell').first().waitFor();
    await shows('Area', 'webhook');
    expect(await page.getByRole('row').count()).toBeLessThan(all);
    await page.goBack();
    await page.waitForURL('**/audit');
    await shows('Area', '');
  });

  test('a dialog is opened by its link, and closed by Back or its button', async () => {
    await openPage('/webhooks');
    await page.getByRole('button', { name: /Team/ }).click();
    await page.getByRole('menuitem', { name: 'Deliveries' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const link = page.url();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(link);
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(({ search }) => search === '');
  });

  test('a dialog or a voucher that was closed by its button leaves nothing in the history', async () => {
    await openPage('/webhooks');
    await page.getByRole('link', { name: 'Vouchers' }).first().click();
    await page.getByText('2 vouchers', { exact: true }).waitFor();
    for (let round = 0; round < 2; round += 1) {
      await page.getByRole('listitem').getByRole('button').first().click();
      const details = page.getByRole('dialog', { name: 'Voucher' });
      await details.getByText('by Anna Berger').waitFor();
      await details.getByRole('button', { name: 'Close' }).first().click();
      await details.waitFor({ state: 'detached' });
      await page.waitForURL('**/vouchers');
    }
    await page.goBack();
    await page.waitForURL('**/webhooks');
    await page.getByRole('button', { name: /Team/ }).click();
    await page.getByRole('menuitem', { name: 'Deliveries' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL('**/webhooks');
    // It left the entry behind that Forward leads to, and nothing before it.
    expect(await page.evaluate('history.state.__TSR_index')).toBe(0);
  });

  test('a dialog that is closed twice in a moment stays on its page, and can be opened and closed again', async () => {
    await openPage('/webhooks');
    await page.getByRole('link', { name: 'Vouchers' }).first().click();
    const details = page.getByRole('dialog', { name: 'Voucher' });
    for (let round = 0; round < 2; round += 1) {
      await page.getByRole('listitem').getByRole('button').first().click();
      await details.getByText('by Anna Berger').waitFor();
      // Both before the browser has gone back.
      await details
        .getByRole('button', { name: 'Close' })
        .first()
        .evaluate((button: { click(): void }) => {
          button.click();
          button.click();
        });
      await details.waitFor({ state: 'detached' });
      await page.getByText('2 vouchers', { exact: true }).waitFor();
      expect(await page.evaluate('history.state.__TSR_index')).toBe(1);
    }
  });
});

/** Escape closes what lies on top, and nothing below it. */
describeInBrowser('Escape', (browser) => {
  const api = withAdmin({
    site: { name: 'Seehotel' },
    env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'wifi@example.org' },
  });
  let staff: SignedIn;
  let voucherId = 0;
  beforeAll(async () => {
    staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
    await staff.put('/account/language', { language: 'en' });
    const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
    const order = { siteId: api.siteId, name: 'Room 12', count: 1, limits, profileId: null };
    const { body } = await staff.put(`/orders/${randomUUID()}`, order);
    voucherId = (body as WebSchema<'Order'>).vouchers[0]!.id;
    ({ page } = await browser.open(api, { cookie: staff.cookie, language: 'en' }));
  });
  let page: Page;
  const open = async (path: string): Promise<void> => {
    if (page.url() === 'about:blank') await page.goto(api.url + path);
    else await goTo(page, api.url + path);
    await waitForContent(page);
  };
  const titles = () => page.locator('[role=dialog] h2.mantine-Modal-title').allInnerTexts();

  test.each(['Revoke', 'E-mail'])('closes the dialog of %s over the details of a voucher', async (action) => {
    await open('/vouchers');
    await page.getByRole('button', { name: /Room 12/ }).click();
    const details = page.getByRole('dialog', { name: 'Voucher' });
    const button = details.getByRole('button', { name: action, exact: true });
    await button.click();
    await page.getByRole('dialog').nth(1).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').nth(1).waitFor({ state: 'detached' });
    await untilDrawn(page);
    expect(await titles()).toEqual(['Voucher']);
    await page.locator(':focus', { hasText: action }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(`${api.url}/vouchers`);
  });

  test('closes a menu over the details of a voucher', async () => {
    await open(`/vouchers?voucher=${String(voucherId)}`);
    await page.getByRole('dialog').getByRole('button', { name: 'More actions' }).press('Enter');
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    await untilDrawn(page);
    expect(await titles()).toHaveLength(1);
  });

  test('keeps the form whose changes are asked about', async () => {
    await api.admin.put('/account/language', { language: 'en' });
    ({ page } = await browser.open(api, { cookie: api.admin.cookie, language: 'en' }));
    await open(`/sites?dialog=texts&id=${String(api.siteId)}`);
    const heading = page.getByRole('textbox', { name: 'Heading' });
    await heading.fill('Welcome');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').nth(1).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').nth(1).waitFor({ state: 'detached' });
    await untilDrawn(page);
    expect(await titles()).toHaveLength(1);
    expect(await heading.inputValue()).toBe('Welcome');
  });
});
