import { beforeEach, expect, test } from '@jest/globals';
import { URI, type TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { withApi } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { redPng } from '../support/pictures.js';
import { waitForContent } from '../support/pages.js';
import { until } from '../support/until.js';
import { adminPassword } from '../support/web.js';

/** What people do with the pages, one after the other, on a service that begins empty. */
describeInBrowser(
  'people',
  (browser) => {
    const api = withApi({ key: false, site: false });
    let page: Page;

    const newPassword = 'anderes Pferd Batterie 48';

    const signIn = async (login: string, password: string): Promise<void> => {
      await page.goto(api.url);
      await page.getByLabel('Name or e-mail address').fill(login);
      await page.getByLabel(/^Password/).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };

    beforeEach(async () => {
      ({ page } = await browser.open(api, { language: 'en' }));
    });

    test('the address of the terminal makes the first administrator, and is not left in the history', async () => {
      await page.goto((await api.app.firstStartUrl()) ?? '');
      await page.getByLabel('Name').fill('Anna Berger');
      await page.getByLabel(/^Password/).fill(adminPassword);
      expect(page.url()).toBe(`${api.url}/first-start`);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.getByRole('button', { name: 'User menu of Anna Berger' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    test('a menu at the head of the page opens by the keyboard, and gives the focus back', async () => {
      await page.goto(api.url);
      // The field takes the focus when the page is complete.
      await page.locator('input:focus').waitFor();
      const button = page.getByRole('button', { name: 'Language' });
      const german = page.getByRole('menuitem', { name: 'Deutsch' });
      for (let round = 0; round < 2; round += 1) {
        await button.focus();
        await page.keyboard.press('Enter');
        await german.waitFor();
        await page.locator('[role=menu]:focus-within').waitFor();
        await page.keyboard.press('Escape');
        await german.waitFor({ state: 'hidden' });
        await page.locator('button[aria-label=Language]:focus').waitFor();
      }
      await page.keyboard.press('Enter');
      await german.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    });

    test('a wrong password is told, and the right one leads to the page that was asked for', async () => {
      await signIn('Anna Berger', 'falsch');
      await page.getByText('Name, password or code is wrong.').waitFor();
      await page.goto(`${api.url}/keys`);
      await page.getByLabel('Name or e-mail address').fill('Anna Berger');
      await page.getByLabel(/^Password/).fill(adminPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    });

    test('an error goes when its cause does: of a webhook, and of a logo', async () => {
      await api.addSite({ name: 'Hauptgebäude' });
      await signIn('Anna Berger', adminPassword);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const dialog = page.getByRole('dialog');
      const alert = dialog.getByRole('alert');

      await page.goto(`${api.url}/webhooks`);
      await page.getByRole('button', { name: 'Add a webhook' }).first().click();
      await dialog.getByLabel('Address of the webhook').fill('http://10.0.0.1/hook');
      await dialog.getByLabel(/^Name/).fill('Empfang');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await alert.waitFor();
      await dialog.getByLabel('Address of the webhook').fill('http://192.0.2.1/hook');
      await alert.waitFor({ state: 'detached' });

      await page.goto(`${api.url}/sites`);
      await page.getByRole('button', { name: 'Actions for Hauptgebäude' }).click();
      await page.getByRole('menuitem', { name: 'Change' }).click();
      await dialog.getByRole('tab', { name: 'Slips' }).click();
      const broken = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
      await dialog.locator('input[type=file]').setInputFiles(broken);
      await alert.waitFor();
      await dialog.locator('input[type=file]').setInputFiles({ ...broken, buffer: redPng(40, 20) });
      await alert.waitFor({ state: 'detached' });
    });

    test('the reason of a refused single sign-on is told, and a password is a way in', async () => {
      await page.goto(`${api.url}/sign-in?reason=single-sign-on-unknown`);
      await page.getByText('There is no user with this e-mail address.').waitFor();
      await page.getByLabel('Name or e-mail address').fill('Anna Berger');
      await page.getByLabel(/^Password/).fill(adminPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(page.url()).toBe(`${api.url}/overview`);
    });

    test('a key that is created in the page works, is revoked, and is restored', async () => {
      await signIn('Anna Berger', adminPassword);
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('<b>Booking</b>');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('curl').waitFor();
      const key = /uvt_\w+/.exec(await dialog.innerText())?.[0];
      const hasStatus = async (status: number) =>
        (await api.get('/sites.php', { key: key! })).status === status;
      expect(await hasStatus(200)).toBe(true);
      await dialog.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByRole('button', { name: 'Revoke <b>Booking</b>' }).click();
      await page.getByText('<b>Booking</b> is revoked.').waitFor();
      await until('the refusal', () => hasStatus(401));
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('The key is valid again.').waitFor();
      await until('the key to be valid', () => hasStatus(200));
    });

    test('somebody new chooses a password of their own, sees nothing of administration, and sets up a second factor', async () => {
      await signIn('Anna Berger', adminPassword);
      await page.getByRole('link', { name: 'Users' }).click();
      await page.getByRole('button', { name: 'Create user' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Jonas Weber');
      await dialog.getByRole('button', { name: 'Create user' }).click();
      await dialog.getByText('Password for the first sign-in').waitFor();
      const temporary = await dialog.locator('.code').innerText();
      await page.context().clearCookies();

      await signIn('Jonas Weber', temporary);
      await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
      expect(await page.getByLabel('Current password').count()).toBe(0);
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('heading', { name: 'Front desk', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
      await page.goto(`${api.url}/users`);
      await page.getByText('This page does not exist').waitFor();

      await page.goto(`${api.url}/account`);
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByLabel('Current password').last().fill(newPassword);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      const secret = await page.locator('div.code').innerText();
      const totp = URI.parse(`otpauth://totp/voucherd:Jonas?secret=${secret}`) as TOTP;
      await page.getByLabel('Six-digit code from the app').fill(totp.generate());
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('Keep the recovery codes').waitFor();
      const [recoveryCode = ''] = (await page.locator('p.code').allInnerTexts()).slice(0, 1);
      await page.getByLabel('I have stored the codes safely').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('Set up', { exact: true }).waitFor();
      await page.context().clearCookies();

      await signIn('Jonas Weber', newPassword);
      await page.getByLabel('Code of the second factor').fill(recoveryCode);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Front desk', exact: true }).waitFor();
      await waitForContent(page);
    });
  },
  { mayComplain: /status of 4\d\d/ },
);
