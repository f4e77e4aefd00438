import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import {
  changeUser,
  findAccessibilityIssues,
  openFollowing,
  untilDrawn,
  waitForContent,
} from '../support/pages.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { type Browser as SignedIn, signInNew } from '../support/web.js';

/** What made people stumble in the form of the front desk and in the lists below it. */
describeInBrowser(
  'the form and the lists of the front desk',
  (browser) => {
    const api = withAdmin({ site: { name: 'Seehotel' } });
    let staff: SignedIn;
    let page: Page;
    beforeAll(async () => {
      await api.admin.post('/profiles', { name: 'Day', maxUses: 1, expireMinutes: 1440 });
      staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
      await staff.put('/account/language', { language: 'en' });
      ({ page } = await browser.open(api, { language: 'en' }));
    });

    const open = async (path: string, width = 1280): Promise<void> => {
      await page.unrouteAll({ behavior: 'wait' });
      await page.setViewportSize({ width, height: 900 });
      await changeUser(page, api.url, staff.cookie);
      await openFollowing(page, api.url + path);
      await waitForContent(page);
    };
    const order = async (values: object): Promise<void> => {
      const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
      const base = { siteId: api.siteId, name: '', count: 1, limits, profileId: null };
      expect((await staff.put(`/orders/${randomUUID()}`, { ...base, ...values })).status).toBe(200);
    };
    const create = () => page.getByRole('button', { name: /^Create/ });
    const isInSight = async (element: Locator): Promise<boolean> => {
      const box = await element.boundingBox();
      const height = page.viewportSize()?.height ?? 0;
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    };

    test('an order of many is one of the latest rows, opens by its numbers, and pushes no other out', async () => {
      await order({ name: 'Room 12' });
      await order({ name: 'Conference', count: 30, numbered: true });
      await open('/desk');
      const latest = page.getByRole('region', { name: 'The latest vouchers' });
      await latest.getByRole('button', { name: /Room 12/ }).waitFor();
      const many = latest.getByRole('button', { name: /30 vouchers/ });
      await many.focus();
      await page.keyboard.press('Enter');
      await latest.getByRole('button', { name: 'Conference 30/30' }).waitFor();
      const names = await latest.locator('[data-of-order] .voucher-row-name').allInnerTexts();
      expect(names).toEqual(Array.from({ length: 30 }, (_, index) => `Conference ${String(index + 1)}/30`));
      expect(await findAccessibilityIssues(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByText('Conference 1/30 · Seehotel').waitFor();
      await many.click();
      await latest.locator('[data-of-order]').first().waitFor({ state: 'detached' });
      // With what somebody else orders, too.
      await order({ name: 'Room 13' });
      await latest.getByRole('button', { name: /Room 13/ }).waitFor();
      await latest.getByRole('button', { name: /Room 12/ }).waitFor();
    });

    test('a number that can not be meant is told and stays as it was typed, and nothing is ordered', async () => {
      const before = (await controllerVouchers(api, api.siteId)).length;
      await open('/desk');
      await page.getByRole('radio', { name: /Custom/ }).check();
      const uses = page.getByRole('textbox', { name: 'Sign-ins' });
      await uses.fill('0');
      await uses.press('Tab');
      await page.getByText('Please enter a whole number from 1 to').waitFor();
      expect(await uses.inputValue()).toBe('0');
      await create().click();
      await page.locator('input[aria-invalid=true]:focus').waitFor();
      await uses.fill('2');
      const validity = page.getByRole('textbox', { name: 'Valid for' });
      await validity.fill('1 or 2');
      await page.getByText('Please enter a whole number from 1 to').waitFor();
      await validity.press('Enter');
      expect(await validity.inputValue()).toBe('1 or 2');
      expect(await findAccessibilityIssues(page, 'form')).toEqual([]);
      expect(await controllerVouchers(api, api.siteId)).toHaveLength(before);
      // Pasted as somebody writes it in another language: not fifteen days.
      await validity.fill('');
      await page.evaluate(`document.execCommand('insertText', false, '1,5')`);
      await page.getByText('Please enter').waitFor({ state: 'detached' });
      await validity.press('Enter');
      await page
        .getByRole('region', { name: 'Result' })
        .getByText(/^\d{5}-\d{5}$/)
        .waitFor();
      expect((await controllerVouchers(api, api.siteId)).at(-1)).toMatchObject({
        expire_minutes: 2160,
        max_uses: 2,
      });
    });

    test('the button that creates is in sight, whatever the form shows, and hides no field that has the focus', async () => {
      await open('/desk');
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: width === 1280 ? 900 : 700 });
        await page.getByRole('radio', { name: /Custom/ }).check();
        await page.getByLabel('Amount of data', { exact: true }).waitFor();
        await untilDrawn(page);
        await until('the button is in sight', () => isInSight(create()));
        for (const label of ['Download', 'Upload', 'Amount of data']) {
          const field = page.getByLabel(label, { exact: true });
          await field.focus();
          const [box, bar] = [await field.boundingBox(), await create().boundingBox()];
          expect(box!.y + box!.height).toBeLessThanOrEqual(bar!.y);
        }
        expect(await findAccessibilityIssues(page, 'form')).toEqual([]);
        await page.getByRole('radio', { name: /Day/ }).check();
        await page.getByRole('button', { name: 'List of names' }).click();
        await page.getByLabel('Names, one per line').fill('Anna\nBen\nCleo');
        await until('the button is in sight', () => isInSight(create()));
        await page.getByRole('button', { name: 'Without names' }).click();
      }
      // On a phone that is turned, it would hide the fields.
      await page.setViewportSize({ width: 844, height: 390 });
      await page
        .locator('form')
        .getByRole('button', { name: /^Create/ })
        .waitFor();
      const position = `getComputedStyle(document.querySelector('form [type=submit]').parentElement).position`;
      await until(
        'the button to move with the form',
        async () => (await page.evaluate(position)) === 'static',
      );
    });

    test('a button keeps the focus while it works, and works once', async () => {
      await order({ name: 'Focus', count: 2 });
      await open('/desk');
      await page.getByRole('button', { name: 'Show the order of 2: Focus' }).click();
      const csv = page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'CSV' });
      const asked: string[] = [];
      let letGo = (): void => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      await page.route('**/web/vouchers/exports*', async (route) => {
        asked.push(route.request().url());
        await held;
        await route.continue();
      });
      await csv.focus();
      await page.keyboard.press('Enter');
      await page.locator('button[aria-disabled=true]:focus', { hasText: 'CSV' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Space');
      const download = page.waitForEvent('download');
      letGo();
      await download;
      await page.locator('button:not([aria-disabled]):focus', { hasText: 'CSV' }).waitFor();
      expect(asked).toHaveLength(1);
    });

    test('heads stand above their columns, also for somebody who may only read', async () => {
      const siteIds = [api.siteId];
      const viewer = await signInNew(api, api.admin, { name: 'Vera Lang', role: 'viewer', siteIds });
      await order({ name: 'Room 12' });
      for (const { cookie } of [viewer, staff]) {
        await changeUser(page, api.url, cookie);
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`${api.url}/vouchers`);
        await page.locator('.voucher-row-main').first().waitFor();
        await untilDrawn(page);
        const distances = `['code', 'name', 'state', 'more', 'by', 'time'].map((column) => {
        const left = (part) => document.querySelector(part + ' .voucher-row-' + column).getBoundingClientRect().left;
        return Math.round(left('.voucher-list > :first-child') - left('[role=listitem] .voucher-row-main'));
      })`;
        expect(await page.evaluate(distances)).toEqual([0, 0, 0, 0, 0, 0]);
      }
    });

    test('who created a voucher is read whole, also where a machine did', async () => {
      const name = 'Gästehaus am Starnberger See';
      const place = await addSite(api.tables, 'Garten');
      const record = { source: name, actorKind: 'guest' as const, actorName: name };
      await api.tables.vouchers.record(
        someRecord(place, { ...record, voucher: someVoucher({ createdAt: Date.now(), name: 'Starnberg' }) }),
      );
      await changeUser(page, api.url, api.admin.cookie);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${api.url}/vouchers`);
      const creator = page.locator('.voucher-row-by', { hasText: name }).first();
      await creator.waitFor();
      const cut = `[...document.querySelectorAll('.voucher-row-by > span')]
      .filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
      .map((part) => part.textContent)`;
      expect(await page.evaluate(cut)).toEqual([]);
    });

    test('a list of names without a name of its own is told from a voucher for its first guest', async () => {
      await order({ names: ['Anna Berger', 'Ben Öz', 'Cleo Lind'], count: 3 });
      for (const path of ['/desk', '/vouchers']) {
        await open(path);
        await page.getByRole('button', { name: /3 vouchers Anna Berger, …/ }).waitFor();
      }
      await open('/desk');
      await page.getByRole('button', { name: 'Show the order of 3: Anna Berger, …' }).waitFor();
    });
  },
  { mayComplain: /status of 409/ },
);

/** What the result at the front desk says, and where the focus is, after vouchers were revoked by keys alone. */
describeInBrowser('revocation at the front desk', (browser) => {
  const api = withAdmin({ site: { name: 'Seehotel' } });
  let staff: SignedIn;
  let page: Page;
  beforeAll(async () => {
    await api.admin.post('/profiles', { name: 'Day', maxUses: 1, expireMinutes: 1440, isDefault: true });
    staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
    await staff.put('/account/language', { language: 'en' });
    ({ page } = await browser.open(api, { language: 'en' }));
  });

  const open = async (): Promise<void> => {
    await changeUser(page, api.url, staff.cookie);
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
    expect(await findAccessibilityIssues(page, 'section[aria-label=Result]')).toEqual([]);
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
    expect(await findAccessibilityIssues(page, '[role=menu]')).toEqual([]);
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
    await page.keyboard.press('Enter');
    await page.locator('form input:focus').waitFor();
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
