import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, openFollowing, untilDrawn, waitForContent } from '../support/pages.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

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
    });

    const open = async (path: string, width = 1280): Promise<void> => {
      ({ page } = await browser.open(api, { cookie: staff.cookie, width, language: 'en' }));
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
      expect(await findAccessibilityIssues(page, 'all')).toEqual([]);
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
      expect(await findAccessibilityIssues(page, 'all')).toEqual([]);
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
        expect(await findAccessibilityIssues(page, 'all')).toEqual([]);
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

    test('a voucher that is revoked leaves the focus at what can be done next', async () => {
      await order({ name: 'Room 77' });
      await open('/desk');
      await page.getByRole('button', { name: /Room 77/ }).click();
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByRole('button', { name: 'Revoke' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Revoke' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('a:focus', { hasText: 'New voucher for this guest' }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('form input:focus').waitFor();
    });

    test('heads stand above their columns, also for somebody who may only read', async () => {
      const siteIds = [api.siteId];
      const viewer = await signInNew(api, api.admin, { name: 'Vera Lang', role: 'viewer', siteIds });
      await order({ name: 'Room 12' });
      for (const { cookie } of [viewer, staff]) {
        ({ page } = await browser.open(api, { cookie, width: 1440, language: 'en' }));
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
      ({ page } = await browser.open(api, { cookie: api.admin.cookie, width: 1440, language: 'en' }));
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

    test('a printer that is switched off is named', async () => {
      const printer = { name: 'Bar', host: '127.0.0.1', port: 9, paper: '80mm', siteIds: null };
      const { body } = await api.admin.post('/printers', printer);
      await order({ name: 'Room 30' });
      await open('/desk');
      await page.getByRole('button', { name: /Room 30/ }).click();
      await page.getByRole('button', { name: 'Receipt: Bar' }).click();
      const message = page.getByRole('alert').filter({ hasText: 'The printer can’t be reached.' });
      await message.getByText('Bar', { exact: true }).waitFor();
      await api.admin.delete(`/printers/${String((body as { id: number }).id)}`);
    });
  },
  { mayComplain: /status of 409/ },
);
