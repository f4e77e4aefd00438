import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, openFollowing, waitForContent } from '../support/pages.js';
import { until } from '../support/until.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

/** What the result at the front desk says, and where the focus is, after vouchers were revoked by keys alone. */
describeInBrowser('revocation at the front desk', (browser) => {
  const api = withAdmin({ site: { name: 'Seehotel' } });
  let staff: SignedIn;
  let page: Page;
  beforeAll(async () => {
    await api.admin.post('/profiles', { name: 'Day', maxUses: 1, expireMinutes: 1440, isDefault: true });
    staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
  });

  const open = async (language = 'en'): Promise<void> => {
    await staff.put('/account/language', { language });
    ({ page } = await browser.open(api, { cookie: staff.cookie, language }));
    await openFollowing(page, `${api.url}/desk`);
    await waitForContent(page);
    await page.locator('main [type=radio]').first().check();
  };
  const order = async (name: string, count: number): Promise<void> => {
    await page.getByLabel('For whom?').fill(name);
    await page.getByLabel('How many').fill(String(count));
    await page.keyboard.press('Enter');
  };
  const result = () => page.getByRole('region', { name: 'Result' });
  const announced = (): Promise<string> => result().getByRole('status').innerText();
  const revoke = async (button: string, typed = ''): Promise<void> => {
    await result().getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    if (typed === '') {
      await page.locator('[role=dialog] button:focus', { hasText: 'Cancel' }).waitFor();
      await page.keyboard.press('Tab');
    } else await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await result().getByRole('button', { name: button }).waitFor({ state: 'detached' });
  };
  /** Where Tab goes on from. */
  const isFocusIn = (selector: string) =>
    page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);

  test('an order of many that was revoked reads so, is announced, and keeps the focus in the result', async () => {
    await open();
    await order('Conference', 3);
    await result().getByRole('heading', { name: '3 vouchers are ready' }).waitFor();
    await result().getByText('Valid for 1 day').waitFor();
    await revoke('Revoke all', '3');
    await result().getByRole('heading', { name: '3 vouchers are revoked' }).waitFor();
    expect(await announced()).toBe('3 vouchers are revoked');
    // No code is left that somebody could hand out by mistake.
    expect(await result().getByLabel('Codes').count()).toBe(0);
    expect(await result().getByText('Valid for 1 day').count()).toBe(0);
    await until('the result has the focus', () => isFocusIn('section[aria-label=Result]'));
    expect(await findAccessibilityIssues(page, 'all')).toEqual([]);
    // Nor is it ready among one's own orders.
    await page.keyboard.press('n');
    const orders = page.getByRole('region', { name: 'My latest orders' });
    await orders.getByText('Revoked', { exact: true }).waitFor();
    expect(await orders.getByText('Ready', { exact: true }).count()).toBe(0);
  });

  test('an order of many has printing and two more as buttons, further printers in a menu, and revocation apart', async () => {
    const printers: number[] = [];
    // Nobody listens there.
    const place = { host: '127.0.0.1', port: 9, paper: '80mm', siteIds: null };
    for (const name of ['Bar', 'Counter', 'Office'])
      printers.push(((await api.admin.post('/printers', { name, ...place })).body as { id: number }).id);
    await open();
    await order('Bus 2', 3);
    const button = (name: string) => result().getByRole('button', { name, exact: true });
    await button('Revoke all').waitFor();
    await button('More actions').waitFor();
    const names = await result().getByRole('button').allInnerTexts();
    expect(names.filter((name) => name !== '')).toEqual([
      'Slips as PDF',
      'CSV',
      '3 receipts: Bar',
      'Revoke all',
    ]);
    const [csv, more, revocation] = await Promise.all(
      ['CSV', 'More actions', 'Revoke all'].map((name) => button(name).boundingBox()),
    );
    // On a line of its own, or at the other end of theirs.
    const gap = revocation!.x - (more!.x + more!.width);
    expect(revocation!.y > csv!.y + csv!.height || gap > 24).toBe(true);
    await button('More actions').click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      '3 receipts: Counter',
      '3 receipts: Office',
    ]);
    expect(await findAccessibilityIssues(page, 'all')).toEqual([]);
    await page.keyboard.press('Escape');
    for (const id of printers) await api.admin.delete(`/printers/${String(id)}`);
  });

  test('an order of which some were revoked counts and lists the others', async () => {
    await open();
    await order('Bus', 3);
    const codes = result().getByLabel('Codes');
    await codes.waitFor();
    const [revoked, ...others] = (await codes.inputValue()).split('\n');
    const { vouchers } = (await staff.get('/vouchers')).body as {
      vouchers: { id: number; formattedCode: string }[];
    };
    const { id } = vouchers.find(({ formattedCode }) => revoked?.startsWith(formattedCode))!;
    await staff.post('/vouchers/revocations', { voucherIds: [id], orderId: null });
    await result().getByRole('heading', { name: '2 vouchers are ready' }).waitFor();
    expect(others).toHaveLength(2);
    expect(await codes.inputValue()).toBe(others.join('\n'));
  });

  test('one voucher that was revoked is announced as such, without its code, and the next step has the focus', async () => {
    await open();
    await order('Room 12', 1);
    const code = (
      await result()
        .getByRole('heading')
        .getByText(/^\d{5}-\d{5}$/)
        .innerText()
    ).replace('-', '');
    expect(await announced()).toBe(`The code for Room 12 is here: ${Array.from(code).join(' ')}`);
    await revoke('Revoke');
    expect(await announced()).toBe('The voucher is revoked.');
    await until('the link has the focus', () => isFocusIn('section[aria-label=Result] a'));
    await page.locator('a:focus', { hasText: 'New voucher for this guest' }).waitFor();
  });

  test('a voucher of an order whose row was closed meanwhile reads as revoked', async () => {
    await open();
    await order('Choir', 2);
    const latest = page.getByRole('region', { name: 'The latest vouchers' });
    const row = latest.getByRole('button', { name: /2 vouchers.*Choir|Choir.*2 vouchers/ });
    await row.click();
    await latest.locator('[data-of-order]').first().getByRole('button').first().click();
    await row.click();
    await latest.locator('[data-of-order]').first().waitFor({ state: 'detached' });
    await revoke('Revoke');
    await result().getByText('It can no longer be used.').waitFor();
    expect(await announced()).toBe('The voucher is revoked.');
  });
});
