import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { untilDrawn, waitForContent } from '../support/pages.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

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
    await page.goto(api.url + path);
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
