import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { waitForContent } from '../support/pages.js';
import { adminPassword, signIn, signInNew, type Browser as SignedIn } from '../support/web.js';

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
