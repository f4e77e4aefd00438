import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { describeInBrowser } from '../support/browser.js';
import { withDesk } from '../support/deskFixture.js';
import { untilDrawn, untilTitle, untilValue } from '../support/pages.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { adminPassword, signIn } from '../support/web.js';

/** What staff do at the front desk, in a real browser, and what they see when something is in the way. */
describeInBrowser(
  'the front desk',
  (browser) => {
    const desk = withDesk(browser);
    const { api, nameField, result, codeShown, goToDesk, namesMade } = desk;
    let page: Page;
    beforeEach(() => {
      page = desk.page();
    });

    test('staff who sign in see the front desk first, and a name and Enter make a voucher', async () => {
      await page.goto(api.url);
      await page.getByLabel('Name or e-mail address').fill('Jonas Weber');
      await page.getByLabel(/^Password/).fill(adminPassword);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Front desk' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/desk');
      // One site is no choice.
      expect(await page.getByLabel('Site').count()).toBe(0);
      await nameField().fill('Room 12');
      await page.keyboard.press('Enter');
      const code = await codeShown();
      expect((await controllerVouchers(api, api.siteId)).at(-1)).toMatchObject({
        code,
        expire_minutes: 1440,
      });
      await result().getByText('Valid for 1 day from the first sign-in, for one sign-in').waitFor();
      await result().getByRole('img', { name: 'QR code that connects to the Wi-Fi Gäste' }).waitFor();
      await untilValue(nameField(), '');
      // Nobody dictates a code that is broken into two lines.
      const lines = `(() => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector('section h2.code'));
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        })()`;
      for (const width of [1440, 1280, 1024, 820, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await untilDrawn(page);
        expect([width, await page.evaluate(lines)]).toEqual([width, 1]);
      }
    });

    test('with the keyboard alone: another profile, print, the keys, and the next voucher', async () => {
      await goToDesk();
      await page.keyboard.type('Keyboard');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await codeShown();
      await page.evaluate(`window.print = () => { document.title = 'printing'; }`);
      await page.keyboard.press('p');
      await untilTitle(page, 'printing');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('n');
      // In a field the same keys are letters.
      await page.keyboard.type('np?/');
      await untilValue(nameField(), 'np?/');
      await page.keyboard.press('Tab');
      await page.keyboard.press('/');
      await page.getByRole('heading', { level: 1, name: 'Find vouchers' }).waitFor();
    });

    test('values of one’s own count in human units', async () => {
      await goToDesk();
      await nameField().fill('Custom');
      await page.getByRole('radio', { name: /Custom/ }).check();
      await page.getByLabel('Valid for').first().fill('3');
      await page.getByRole('textbox', { name: 'Sign-ins' }).fill('5');
      await page.getByLabel('Download', { exact: true }).fill('20');
      await page.keyboard.press('Enter');
      const code = await codeShown();
      expect((await controllerVouchers(api, api.siteId)).at(-1)).toMatchObject({
        ...{ code, expire_minutes: 4320, max_uses: 5, down: 20_000 },
      });
      await result().getByText('Speed and data: ↓ 20 Mbit/s').waitFor();
      // The next guest begins anew: with the default of the site, and the language of the pages.
      await page.getByRole('radio', { name: /Day guest/, checked: true }).waitFor();
      await page.getByLabel('Language of the guest').selectOption('Français');
      await nameField().fill('Next guest');
      await nameField().press('Enter');
      await result().getByText('Valid for 1 day').waitFor();
      await untilValue(page.getByLabel('Language of the guest'), 'en');
    });

    test('a count makes many, and offers them as a sheet and as a table', async () => {
      await goToDesk();
      await nameField().fill('Conference room');
      await page.getByLabel('How many').fill('25');
      await page.keyboard.press('Enter');
      await result().getByRole('heading', { name: '25 vouchers are ready' }).waitFor();
      await result().getByText('Day guest · Valid for 1 day').waitFor();
      expect(await namesMade('Conference room')).toHaveLength(25);
      await page.keyboard.press('p');
      await page.getByRole('dialog', { name: '25 slips as PDF' }).getByText('3 pages').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const before = (await namesMade('')).length;
      await page.getByLabel('How many').fill('501');
      await page.getByText('Please enter a whole number from 1 to 500.').waitFor();
      await page.keyboard.press('Enter');
      expect(await namesMade('')).toHaveLength(before);
    });

    test('a list of names makes a voucher for each, and lines that are wrong are named', async () => {
      await goToDesk();
      await page.getByRole('button', { name: 'List of names' }).click();
      await page.getByLabel('Name of the list').fill('Seminar');
      const list = page.getByLabel('Names, one per line');
      await list.fill(`Anna Berger\n\n${'x'.repeat(256)}\nanna berger`);
      await page.getByText('Line 3: the name is longer than 255 characters.').waitFor();
      await page.getByText('Line 4: “anna berger” is already in line 1.').waitFor();
      const before = (await namesMade('')).length;
      await page.getByRole('button', { name: /^Create/ }).click();
      expect(await namesMade('')).toHaveLength(before);
      await page.locator('input[type=file]').setInputFiles({
        ...{ name: 'guests.csv', mimeType: 'text/csv' },
        buffer: Buffer.from('Zoë;Öz\r\n"Ben ""B""";Klein\r\n'),
      });
      await page.getByRole('button', { name: 'Create 2 vouchers' }).click();
      await result().getByRole('heading', { name: '2 vouchers are ready' }).waitFor();
      expect(await result().getByLabel('Codes').inputValue()).toMatch(
        /^\d{5}-\d{5} {2}Zoë Öz\n\d{5}-\d{5} {2}Ben "B" Klein$/,
      );
      expect(await namesMade('Seminar')).toHaveLength(2);
      // The next guest has a form without a list.
      await nameField().waitFor();
      // The list is found by its own name, and called by it.
      await page.goto(`${api.url}/vouchers`);
      await page.getByRole('button', { name: /2 vouchers Seminar/ }).waitFor();
      await page.getByLabel('Code or name').fill('semin');
      await page.getByText('2 vouchers', { exact: true }).waitFor();
      await page.getByText('Zoë Öz').waitFor();
    });

    test('while a voucher is awaited the panel says for whom, and its code is announced once', async () => {
      page = await desk.tamper('hold');
      await goToDesk();
      await nameField().fill('Ms Awaited');
      await page.keyboard.press('Enter');
      const status = result().getByRole('status');
      await result()
        .getByRole('heading', { name: 'The voucher for Ms Awaited is being created …' })
        .waitFor();
      await status.getByText('The voucher for Ms Awaited is being created …').waitFor();
      await page.evaluate('letGo()');
      const code = await codeShown();
      const spelt = Array.from(code).join(' ');
      await status.getByText(`The code for Ms Awaited is here: ${spelt}`).waitFor();
      expect(await page.getByText(spelt).count()).toBe(1);
      // Printing and two more are buttons, the rest is in a menu, and what can't be undone stands apart.
      const names = await result().getByRole('button').allInnerTexts();
      expect(names).toEqual(['Print', 'Copy', 'PDF', 'Revoke']);
    });

    test('the key for a new voucher, and a sign-out, forget what was typed for somebody else', async () => {
      const { cookie } = await signIn(api, 'Jonas Weber', adminPassword);
      const type = async (guest: string): Promise<void> => {
        await nameField().fill(guest);
        await page.getByRole('radio', { name: /Conference/ }).check();
      };
      const isEmpty = async (): Promise<void> => {
        await untilValue(nameField(), '');
        await page.getByRole('radio', { name: /Day guest/, checked: true }).waitFor();
      };
      await goToDesk(cookie);
      await type('Room 18');
      await page.keyboard.press('n');
      await isEmpty();
      await type('Room 19');
      // Another application of the same host.
      await page.evaluate("sessionStorage.setItem('shop.basket', '3')");
      await page.getByRole('button', { name: 'User menu of Jonas Weber' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('Name or e-mail address').fill('Jonas Weber');
      await page.getByLabel(/^Password/).fill(adminPassword);
      await page.keyboard.press('Enter');
      await nameField().waitFor();
      await isEmpty();
      expect(await page.evaluate("sessionStorage.getItem('shop.basket')")).toBe('3');
    });

    test('what others make and revoke is seen in the list without a reload', async () => {
      await goToDesk();
      const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
      const order = { siteId: api.siteId, name: 'By a colleague', count: 1, limits };
      const { body } = await desk.staffOfTwo().put(`/orders/${randomUUID()}`, order);
      const voucher = (body as WebSchema<'Order'>).vouchers[0]!;
      const row = page.getByRole('button', { name: voucher.formattedCode });
      await row.getByText('By a colleague').waitFor();
      await row.getByText('Valid').waitFor();
      await desk.staffOfTwo().post('/vouchers/revocations', { voucherIds: [voucher.id] });
      await row.getByText('Revoked').waitFor();
      await row.click();
      await result().getByText('Revoked', { exact: true }).waitFor();
      await result().getByText('This code is no longer valid. It is not printed or sent.').waitFor();
      expect(await result().getByRole('button').count()).toBe(0);
    });
  },
  { mayComplain: /status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/ },
);
