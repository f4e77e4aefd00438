import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOidcProvider, type OidcProvider } from '../../simulators/oidcProvider.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { waitForContent } from '../support/pages.js';

describeInBrowser('single sign-on', (browser) => {
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
    await dialog.getByLabel('Adresse des Anbieters (Issuer)').fill(provider.issuer);
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
  });
});
