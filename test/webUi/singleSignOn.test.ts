import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOidcProvider, type OidcProvider } from '../../simulators/oidcProvider.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { waitForContent } from '../support/pages.js';

describeInBrowser(
  'single sign-on',
  (browser) => {
    let provider: OidcProvider;
    beforeAll(async () => {
      provider = await startOidcProvider();
    });
    afterAll(() => provider.stop());
    const api = withAdmin();

    test('is set up in the page, with a test before it is saved', async () => {
      const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      await page.goto(`${api.url}/users`);
      await waitForContent(page);
      await page.getByRole('button', { name: 'Einrichten' }).click();
      const dialog = page.getByRole('dialog');
      // The first field has the focus, and not the button that would close the dialog.
      const issuer = dialog.getByLabel('Adresse des Anbieters (Issuer)');
      await issuer.and(page.locator(':focus')).waitFor();
      await dialog.getByText('PUBLIC_URL ist nicht gesetzt').waitFor();
      await issuer.fill(provider.issuer);
      await dialog.getByLabel('Client-ID').fill(provider.clientId);
      await dialog.getByRole('textbox', { name: 'Client-Secret' }).fill('falsch');
      await dialog.getByRole('button', { name: 'Testen' }).click();
      await dialog.getByText('Der Anbieter lehnt Client-ID oder Client-Secret ab.').waitFor();
      expect(await findIssuesInEveryLook(page, 'single-sign-on')).toEqual([]);
      await dialog.getByRole('textbox', { name: 'Client-Secret' }).fill(provider.clientSecret);
      await dialog.getByRole('button', { name: 'Testen' }).click();
      await dialog.getByText('Client-ID und Client-Secret stimmen.').waitFor();
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Eingerichtet', { exact: true }).waitFor();
      await page.close();
    });

    test('what another administrator saves meanwhile is told, and not replaced unasked', async () => {
      const saveTheirs = async (name: string): Promise<void> => {
        const { issuer, clientId, clientSecret } = provider;
        const answer = await api.admin.put('/identity-provider', { issuer, clientId, clientSecret, name });
        expect(answer.status).toBe(200);
      };
      await saveTheirs('Hotelkonto');
      const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      await page.goto(`${api.url}/users`);
      await waitForContent(page);
      await page.getByRole('button', { name: 'Ändern' }).click();
      const dialog = page.getByRole('dialog');
      const label = dialog.getByLabel('Beschriftung des Knopfs');
      await label.fill('Meins');
      await saveTheirs('Anderes');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      const keep = page.getByRole('button', { name: 'Weiter bearbeiten' });
      const notice = dialog.getByRole('alert').filter({ has: keep });
      await notice.waitFor();
      expect(await findIssuesInEveryLook(page, 'single-sign-on-changed')).toEqual([]);
      expect((await api.admin.get('/identity-provider')).body).toMatchObject({ name: 'Anderes' });
      expect(await dialog.getByText('Jemand anderes').count()).toBe(1);
      await keep.click();
      await notice.waitFor({ state: 'detached' });
      expect(await label.inputValue()).toBe('Meins');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await api.admin.get('/identity-provider')).body).toMatchObject({ name: 'Meins' });
    });
  },
  { mayComplain: /status of 409/ },
);
