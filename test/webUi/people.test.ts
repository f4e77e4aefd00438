import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TOTP, URI } from 'otpauth';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin, withApi } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { goTo, waitForContent } from '../support/pages.js';
import { redPng } from '../support/pictures.js';
import { until } from '../support/until.js';
import { adminPassword, type Browser as SignedIn, signIn, signInNew } from '../support/web.js';

/** What people do with the pages, one after the other, on a service that begins empty. */
describeInBrowser(
  'people',
  (browser) => {
    const api = withApi({ key: false, site: false, admin: true });
    let page: Page;

    const newPassword = 'anderes Pferd Batterie 48';

    const signIn = async (login: string, password: string): Promise<void> => {
      await page.goto(api.url);
      await page.getByLabel('Name or e-mail address').fill(login);
      await page.getByLabel(/^Password/).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };

    beforeAll(async () => {
      await api.admin.put('/account/language', { language: 'en' });
      ({ page } = await browser.open(api, { language: 'en' }));
    });
    beforeEach(async () => {
      await page.context().clearCookies();
      await page.goto(`${api.url}/healthz`);
      await page.evaluate('localStorage.clear()');
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

      await goTo(page, `${api.url}/webhooks`);
      await page.getByRole('button', { name: 'Add a webhook' }).first().click();
      await dialog.getByLabel('Address of the webhook').fill('http://10.0.0.1/hook');
      await dialog.getByLabel(/^Name/).fill('Empfang');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await alert.waitFor();
      await dialog.getByLabel('Address of the webhook').fill('http://192.0.2.1/hook');
      await alert.waitFor({ state: 'detached' });

      await goTo(page, `${api.url}/sites`);
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

      await goTo(page, `${api.url}/account`);
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

/** What made people stumble who tried to sign in as a receptionist would. */
describeInBrowser(
  'a receptionist who signs in',
  (browser) => {
    const api = withAdmin({ site: { name: 'Seehotel' } });
    let staff: SignedIn;
    let page: Page;
    beforeAll(async () => {
      await api.admin.post('/profiles', { name: 'Tag', maxUses: 2, expireMinutes: 1440 });
      staff = await signInNew(api, api.admin, {
        name: 'Jonas Weber',
        role: 'staff',
        siteIds: [api.siteId],
      });
    });

    test('a session that ends says so, and what was typed is still there', async () => {
      const name = 'Lea Vogt';
      const lea = await signInNew(api, api.admin, { name, role: 'staff', siteIds: [api.siteId] });
      ({ page } = await browser.open(api, { cookie: lea.cookie }));
      await page.goto(`${api.url}/desk`);
      await page.getByRole('radio', { name: /^Tag/ }).check();
      await page.getByLabel(/^Für wen\?/).fill('Zimmer 31');
      const { users } = (await api.admin.get('/users')).body as WebSchema<'UserList'>;
      const id = users.find((user) => user.name === name)?.id;
      expect((await api.admin.delete(`/users/${String(id)}/sessions`)).status).toBe(204);
      await page.getByText('Die Sitzung ist beendet. Nach der Anmeldung geht es').waitFor();
      await page.getByLabel('Name oder E-Mail-Adresse').fill(name);
      const password = page.getByLabel('Passwort', { exact: true });
      await password.fill('falsch');
      await password.press('Enter');
      await page.getByText('Name, Passwort oder Code stimmt nicht.').waitFor();
      // What was wrong is selected: the next keys replace it.
      await page.keyboard.type(adminPassword);
      await page.keyboard.press('Enter');
      await page.getByRole('radio', { name: /^Tag/, checked: true }).waitFor();
      expect(await page.getByLabel(/^Für wen\?/).inputValue()).toBe('Zimmer 31');
    });

    test('the first sign-in puts the keys into the only field, that of the new password', async () => {
      const { body } = await api.admin.post('/users', { name: 'Max Neu', role: 'viewer', siteIds: [] });
      const first = await signIn(api, 'Max Neu', (body as { password: string }).password);
      ({ page } = await browser.open(api, { cookie: first.cookie }));
      await page.goto(api.url);
      await page.locator('input[type=password]:focus').waitFor();
    });

    test('an empty field and a short password are told in the language of the page, not of the browser', async () => {
      await staff.put('/account/language', { language: 'fr' });
      ({ page } = await browser.open(api, { cookie: staff.cookie, language: 'nl' }));
      await page.goto(`${api.url}/account`);
      await waitForContent(page);
      const password = page.getByLabel('Nouveau mot de passe', { exact: false }).first();
      await password.fill('court');
      await password.press('Enter');
      await page.getByText('Le mot de passe est trop court : au moins 12 caractères.').waitFor();
      const isFocused = await page.evaluate<boolean>('document.activeElement.type === "password"');
      expect(isFocused).toBe(true);
      await password.fill('assez long pour cela');
      await page.getByText('Le mot de passe est trop court').waitFor({ state: 'detached' });
      await staff.put('/account/language', { language: 'de' });

      ({ page } = await browser.open(api, { language: 'de' }));
      await page.goto(api.url);
      await page.getByRole('button', { name: 'Anmelden' }).click();
      const said = () => page.evaluate<string>('document.activeElement.validationMessage');
      expect(await said()).toBe('Bitte dieses Feld ausfüllen.');
      await page.keyboard.type('Jonas Weber');
      expect(await said()).toBe('');
    });
  },
  { mayComplain: /status of 40[14]/ },
);
