import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { withDesk } from '../support/deskFixture.js';
import { untilValue } from '../support/pages.js';
import { adminPassword, signIn } from '../support/web.js';

/** What staff see at the front desk when something is in the way: nothing is lost, and nothing is created twice. */
describeInBrowser(
  'the front desk under faults',
  (browser) => {
    const desk = withDesk(browser);
    const { api, nameField, codeShown, goToDesk, orderOf, namesMade } = desk;
    let page: Page;
    beforeEach(() => {
      page = desk.page();
    });

    test('a double click and a repeated Enter make one voucher', async () => {
      page = await desk.tamper('hold');
      await goToDesk();
      await nameField().fill('Twice');
      await page.getByRole('button', { name: /^Create/ }).dblclick();
      await page.keyboard.press('Enter');
      await orderOf('Twice');
      await page.evaluate('letGo()');
      await codeShown();
      expect(await namesMade('Twice')).toHaveLength(1);
    });

    test('a controller that is down is told with its reason, and what was typed is still there', async () => {
      await goToDesk(desk.staffOfTwo().cookie);
      // Of several sites none is chosen beforehand, and none is guessed.
      await untilValue(page.getByLabel('Site'), '');
      await nameField().fill('Room 13');
      await page.keyboard.press('Enter');
      await page.getByText('Please choose a site.').waitFor();
      await page.getByLabel('Site').selectOption('Annexe');
      await nameField().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('No voucher was created').waitFor();
      await page.getByText('Please try again in a minute').waitFor();
      await untilValue(nameField(), 'Room 13');
      // The site is remembered.
      await page.reload();
      expect(await page.getByLabel('Site').inputValue()).not.toBe(String(api.siteId));
      await page.getByLabel('Site').selectOption('Hauptgebäude');
      await untilValue(nameField(), 'Room 13');
      await nameField().press('Enter');
      await codeShown();
      expect(await namesMade('Room 13')).toHaveLength(1);
    });

    test('after a session has ended in the middle, what was typed is there again', async () => {
      const { cookie } = await signIn(api, 'Jonas Weber', adminPassword);
      await goToDesk(cookie);
      await nameField().fill('Room 14');
      await page.getByRole('radio', { name: /Conference/ }).check();
      await page.context().clearCookies();
      await nameField().press('Enter');
      await page.getByLabel('Name or e-mail address').fill('Jonas Weber');
      await page.getByLabel(/^Password/).fill(adminPassword);
      await page.keyboard.press('Enter');
      await untilValue(nameField(), 'Room 14');
      await page.getByRole('radio', { name: /Conference/, checked: true }).waitFor();
      await page.getByText('What you typed is still there').waitFor();
      await nameField().press('Enter');
      await codeShown();
      expect(await namesMade('Room 14')).toHaveLength(1);
    });

    test('a lost network is told, nothing is lost, and the same order goes through once it is back', async () => {
      await goToDesk();
      await nameField().fill('Room 15');
      await page.context().setOffline(true);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The connection is lost').waitFor();
      // The fields can't be typed in until it is known, so Enter tries again.
      await page.locator('button:focus', { hasText: 'Try again' }).waitFor();
      await untilValue(nameField(), 'Room 15');
      await page.context().setOffline(false);
      // The order never arrived, which the page finds out by itself.
      await page.getByText('The order did not arrive.').waitFor();
      expect(await namesMade('Room 15')).toEqual([]);
      await nameField().press('Enter');
      await codeShown();
      expect(await namesMade('Room 15')).toHaveLength(1);
    });

    test('an answer that was lost is found again, and makes no second voucher', async () => {
      page = await desk.tamper('lose');
      await goToDesk();
      await nameField().fill('Room 16');
      await page.keyboard.press('Enter');
      await codeShown();
      expect(await namesMade('Room 16')).toHaveLength(1);
    });

    test('a reload in the middle of an order shows its result', async () => {
      page = await desk.tamper('hold');
      await goToDesk();
      await nameField().fill('Room 17');
      await page.keyboard.press('Enter');
      await orderOf('Room 17');
      await page.reload();
      await codeShown();
      expect(await namesMade('Room 17')).toHaveLength(1);
    });
  },
  { mayComplain: /status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/ },
);
