import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import type { OpenedPage, OpenOptions } from '../support/pages.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { adminPassword, signIn, signInNew, type Browser as SignedIn } from '../support/web.js';

/** What staff do at the front desk, in a real browser, and what they see when something is in the way. */
describeInBrowser(
  'the front desk',
  (browser) => {
    const api = withAdmin({ site: {} });
    let staff: SignedIn;
    /** Somebody who also has a site whose controller refuses. */
    let staffOfTwo: SignedIn;
    let opened: OpenedPage;
    let page: Page;

    beforeAll(async () => {
      const dayGuest = await api.admin.post('/profiles', {
        name: 'Day guest',
        maxUses: 1,
        expireMinutes: 1440,
      });
      const { id: defaultProfileId } = dayGuest.body as { id: number };
      const change = { ssid: 'Gäste', slipText: 'Willkommen!', defaultProfileId };
      expect(await api.admin.patch(`/sites/${String(api.siteId)}`, change)).toMatchObject({ status: 200 });
      await api.admin.put('/default-profile', { profileId: defaultProfileId });
      await api.admin.post('/profiles', { name: 'Conference', maxUses: 100, expireMinutes: 4320 });
      staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
      const refusing = await api.addSite({ name: 'Annexe', fault: 'refuse' });
      const siteIds = [api.siteId, refusing];
      staffOfTwo = await signInNew(api, api.admin, { name: 'Mira Öztürk', role: 'staff', siteIds });
    });

    const nameField = () => page.getByLabel('For whom?');
    const createButton = () => page.getByRole('button', { name: /^Create/ });
    const result = () => page.getByRole('region', { name: 'Result' });
    const codeShown = async (): Promise<string> => {
      const code = result().getByRole('heading');
      await code.getByText(/^\d{5}-\d{5}$/).waitFor();
      return (await code.innerText()).replace('-', '');
    };
    const namesMade = async (name: string): Promise<string[]> =>
      (await controllerVouchers(api, api.siteId))
        .map((row) => String(row['name']))
        .filter((n) => n.endsWith(name));
    /**
     * What becomes of the answers to orders, from the next page on: they are held back until `letGo()` is called in the
     * page, or the first one is lost. Either way the service has made what was ordered.
     */
    const tamper = (how: 'hold' | 'lose') =>
      page.addInitScript(`
    const { fetch } = window;
    const held = new Promise((resolve) => { window.letGo = resolve; });
    let isFirst = true;
    window.fetch = async (request) => {
      const answer = await fetch(request);
      if (request.method !== 'PUT' || !request.url.includes('/web/orders/')) return answer;
      if ('${how}' === 'hold') await held;
      else if (isFirst) {
        isFirst = false;
        throw new TypeError('lost');
      }
      return answer;
    };`);
    const orderOf = (name: string) =>
      until('the order', async () => (await staff.get('/orders')).text.includes(name));

    const open = async (options: OpenOptions = {}): Promise<void> => {
      opened = await browser.open(api, { cookie: staff.cookie, language: 'en', ...options });
      ({ page } = opened);
    };
    const goToDesk = async (): Promise<void> => {
      await page.goto(api.url);
      await nameField().waitFor();
    };

    describe('on a large screen', () => {
      beforeEach(() => open());

      test('staff who sign in see the front desk first, and a name and Enter make a voucher', async () => {
        await page.context().clearCookies();
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
        expect(await nameField().inputValue()).toBe('');
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
        expect(await page.title()).toBe('printing');
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keys' }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('n');
        // In a field the same keys are letters.
        await page.keyboard.type('np?/');
        expect(await nameField().inputValue()).toBe('np?/');
        await page.keyboard.press('Tab');
        await page.keyboard.press('/');
        await page.getByRole('heading', { level: 1, name: 'Find vouchers' }).waitFor();
      });

      test('values of one’s own count in human units', async () => {
        await goToDesk();
        await nameField().fill('Custom');
        await page.getByRole('radio', { name: /Custom/ }).check();
        await page.getByLabel('Valid for').first().fill('3');
        for (const typed of ['0', '2.5']) {
          await page.getByRole('textbox', { name: 'Sign-ins' }).fill('5');
          await page.getByText('Allowed is a whole number').waitFor({ state: 'detached' });
          await page.getByRole('textbox', { name: 'Sign-ins' }).fill(typed);
          await page.getByText('Allowed is a whole number from 1 to 2,147,483,647').waitFor();
        }
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
        expect(await page.getByLabel('Language of the guest').inputValue()).toBe('en');
      });

      test('a count makes many, and offers them as a sheet and as a table', async () => {
        await goToDesk();
        await nameField().fill('Conference room');
        await page.getByLabel('How many').fill('25');
        await page.keyboard.press('Enter');
        await result().getByRole('heading', { name: '25 vouchers are ready' }).waitFor();
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
        await createButton().click();
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
      });

      test('while a voucher is awaited the panel says for whom, and its code is announced once', async () => {
        await tamper('hold');
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

      test('a double click and a repeated Enter make one voucher', async () => {
        await tamper('hold');
        await goToDesk();
        await nameField().fill('Twice');
        await createButton().dblclick();
        await page.keyboard.press('Enter');
        await orderOf('Twice');
        await page.evaluate('letGo()');
        await codeShown();
        expect(await namesMade('Twice')).toHaveLength(1);
      });

      test('a controller that is down is told with its reason, and what was typed is still there', async () => {
        await opened.context.close();
        await open({ cookie: staffOfTwo.cookie });
        await goToDesk();
        await page.getByLabel('Site').selectOption('Annexe');
        await nameField().fill('Room 13');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').getByText('No voucher was created').waitFor();
        await page.getByText('Please try again in a minute').waitFor();
        expect(await nameField().inputValue()).toBe('Room 13');
        // The site is remembered.
        await page.reload();
        expect(await page.getByLabel('Site').inputValue()).not.toBe(String(api.siteId));
        await page.getByLabel('Site').selectOption('Hauptgebäude');
        expect(await nameField().inputValue()).toBe('Room 13');
        await nameField().press('Enter');
        await codeShown();
        expect(await namesMade('Room 13')).toHaveLength(1);
      });

      test('after a session has ended in the middle, what was typed is there again', async () => {
        const { cookie } = await signIn(api, 'Jonas Weber', adminPassword);
        await page.context().clearCookies();
        const [name, value] = cookie.split('=');
        await page.context().addCookies([{ name: name!, value: value!, url: api.url }]);
        await goToDesk();
        await nameField().fill('Room 14');
        await page.getByRole('radio', { name: /Conference/ }).check();
        await page.context().clearCookies();
        await nameField().press('Enter');
        await page.getByLabel('Name or e-mail address').fill('Jonas Weber');
        await page.getByLabel(/^Password/).fill(adminPassword);
        await page.keyboard.press('Enter');
        await nameField().waitFor();
        expect(await nameField().inputValue()).toBe('Room 14');
        expect(await page.getByRole('radio', { name: /Conference/ }).isChecked()).toBe(true);
        await page.getByText('What you typed is still there').waitFor();
        await nameField().press('Enter');
        await codeShown();
        expect(await namesMade('Room 14')).toHaveLength(1);
      });

      test('a session that ends elsewhere leads to the sign-in by itself', async () => {
        const own = await signIn(api, 'Jonas Weber', adminPassword);
        await page.context().clearCookies();
        const [name, value] = own.cookie.split('=');
        await page.context().addCookies([{ name: name!, value: value!, url: api.url }]);
        await goToDesk();
        expect(await own.delete('/session')).toMatchObject({ status: 204 });
        await page.getByLabel('Name or e-mail address').waitFor();
      });

      test('the key for a new voucher, and a sign-out, forget what was typed for somebody else', async () => {
        const own = await signIn(api, 'Jonas Weber', adminPassword);
        await page.context().clearCookies();
        const [name, value] = own.cookie.split('=');
        await page.context().addCookies([{ name: name!, value: value!, url: api.url }]);
        const type = async (guest: string): Promise<void> => {
          await nameField().fill(guest);
          await page.getByRole('radio', { name: /Conference/ }).check();
        };
        const isEmpty = async (): Promise<void> => {
          await until('the form is empty', async () => (await nameField().inputValue()) === '');
          expect(await page.getByRole('radio', { name: /Day guest/ }).isChecked()).toBe(true);
        };
        await goToDesk();
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

      test('a lost network is told, nothing is lost, and the same order goes through once it is back', async () => {
        await goToDesk();
        await nameField().fill('Room 15');
        await page.context().setOffline(true);
        await page.keyboard.press('Enter');
        await page.getByRole('alert').getByText('The connection is lost').waitFor();
        expect(await nameField().inputValue()).toBe('Room 15');
        await page.context().setOffline(false);
        // The order never arrived, which the page finds out by itself.
        await page.getByText('The order did not arrive.').waitFor();
        expect(await namesMade('Room 15')).toEqual([]);
        await nameField().press('Enter');
        await codeShown();
        expect(await namesMade('Room 15')).toHaveLength(1);
      });

      test('an answer that was lost is found again, and makes no second voucher', async () => {
        await tamper('lose');
        await goToDesk();
        await nameField().fill('Room 16');
        await page.keyboard.press('Enter');
        await codeShown();
        expect(await namesMade('Room 16')).toHaveLength(1);
      });

      test('a reload in the middle of an order shows its result', async () => {
        await tamper('hold');
        await goToDesk();
        await nameField().fill('Room 17');
        await page.keyboard.press('Enter');
        await orderOf('Room 17');
        await page.reload();
        await codeShown();
        expect(await namesMade('Room 17')).toHaveLength(1);
      });

      test('an order goes on when the browser is closed, and is found again', async () => {
        await tamper('hold');
        await goToDesk();
        await nameField().fill('Closed browser');
        await page.getByLabel('How many').fill('12');
        await page.keyboard.press('Enter');
        await orderOf('Closed browser');
        await opened.context.close();
        await open();
        await goToDesk();
        await page.getByRole('button', { name: 'Show the order of 12: Closed browser' }).click();
        await result().getByRole('heading', { name: '12 vouchers are ready' }).waitFor();
        expect(await namesMade('Closed browser')).toHaveLength(12);
      });

      test('what others make and revoke is seen in the list without a reload', async () => {
        await goToDesk();
        const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
        const order = { siteId: api.siteId, name: 'By a colleague', count: 1, limits };
        const { body } = await staffOfTwo.put(`/orders/${randomUUID()}`, order);
        const voucher = (body as WebSchema<'Order'>).vouchers[0]!;
        const row = page.getByRole('button', { name: voucher.formattedCode });
        await row.getByText('By a colleague').waitFor();
        await row.getByText('Valid').waitFor();
        await staffOfTwo.post('/vouchers/revocations', { voucherIds: [voucher.id] });
        await row.getByText('Revoked').waitFor();
        await row.click();
        await result().getByText('Revoked').waitFor();
        await result().getByText('This code is not valid any more. It is not printed or sent.').waitFor();
        expect(await result().getByRole('button').count()).toBe(0);
      });

      test('the browser prints the slip alone', async () => {
        await goToDesk();
        await nameField().fill('Printed');
        await page.keyboard.press('Enter');
        const code = await codeShown();
        await page.locator('.printed-slip').waitFor({ state: 'attached' });
        await page.emulateMedia({ media: 'print' });
        const printed = await page.locator('body').innerText();
        expect(printed.replaceAll('-', '')).toContain(code);
        expect(printed).toContain('Willkommen!');
        expect(printed).toMatch(/^Printed$/m);
        expect(printed).not.toContain('Front desk');
      });
    });

    describe('on a phone, in German', () => {
      test('a voucher is made with a thumb, and its code is on the screen', async () => {
        await staff.put('/account/language', { language: 'de' });
        await open({ language: 'de', width: 390 });
        await page.goto(api.url);
        await page.getByLabel('Für wen?').fill('Zimmer 18');
        await page.getByRole('button', { name: 'Voucher erstellen' }).click();
        const code = page.getByRole('region', { name: 'Ergebnis' }).getByRole('heading');
        await code.getByText(/^\d{5}-\d{5}$/).waitFor();
        const { y = 0, height = 0 } = (await code.boundingBox()) ?? {};
        expect(y).toBeGreaterThan(60);
        expect(y + height).toBeLessThan(900);
        await page
          .getByText('Gültig für 1 Tag ab der ersten Anmeldung, für eine Anmeldung')
          .first()
          .waitFor();
        await staff.put('/account/language', { language: 'en' });
      });
    });
  },
  { mayComplain: /status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/ },
);
