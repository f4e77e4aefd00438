import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { withApi } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { sharedCertificate } from '../support/certificate.js';
import { waitForContent } from '../support/pages.js';
import { adminPassword } from '../support/web.js';

describeInBrowser(
  'from the first start to a voucher on the overview, in a browser',
  (browser) => {
    const api = withApi({ env: { BASE_PATH: '/wifi' }, key: false, site: false });
    let unifi: UnifiConsole;
    let page: Page;
    let key = '';

    beforeAll(async () => {
      unifi = await startUnifiConsole({ certificate: await sharedCertificate() });
      ({ page } = await browser.open(api, { language: 'en' }));
    });
    afterAll(() => unifi.stop());

    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const goTo = async (link: string): Promise<void> => {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: link }).waitFor();
    };

    test('the address of the terminal makes the first administrator, who is signed in', async () => {
      await page.goto((await api.app.firstStartUrl())!);
      await page.getByLabel('Name').fill('Anna Berger');
      await page.locator('input[type=password]').fill(adminPassword);
      await button('Create account').click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      // The token is not in the history.
      expect(page.url()).toBe(`${api.url}/overview`);
    });

    test('a console is tested step by step, its certificate compared and pinned, and a site ticked', async () => {
      await goTo('Controllers');
      await button('Add a controller').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/^Name/).fill('Zentrale');
      await dialog.getByLabel(/^Address/).fill(unifi.url);
      await dialog.getByLabel(/^API key/).fill(unifi.apiKey);
      await button('Test the connection').click();
      await dialog.getByText('This certificate is not trusted yet').waitFor();
      const shown = (await dialog.textContent()) ?? '';
      expect(shown.replaceAll(/[^0-9A-F]/gi, '').toUpperCase()).toContain(
        unifi.fingerprint.replaceAll(':', '').toUpperCase(),
      );
      await button('They match – trust and test').click();
      await dialog.getByText('The test was successful.').waitFor({ state: 'attached' });
      await button('Choose sites').click();
      await dialog.getByRole('checkbox').first().check();
      await dialog
        .getByRole('textbox', { name: /Name here/ })
        .first()
        .fill('Hauptgebäude');
      await button(/^Save with 1 site/).click();
      await dialog.getByText('Zentrale is set up').waitFor();
      await button('Done').click();
      await page.getByText('Hauptgebäude').first().waitFor();
    });

    test('a key is created, and shown with a line that works', async () => {
      await goTo('API keys');
      await button('Create key').first().click();
      await page.getByRole('dialog').getByLabel(/^Name/).fill('Buchungssystem');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await button('I have stored it').waitFor();
      const shown = await page.getByRole('dialog').innerText();
      key = /uvt_[0-9a-f]{40}/.exec(shown)?.[0] ?? '';
      expect(key).not.toBe('');
      await button('I have stored it').click();
    });

    test('a voucher that the key creates over the API appears on the overview without a reload', async () => {
      await goTo('Overview');
      await waitForContent(page);
      await page.evaluate(`window.notReloaded = true`);
      const { sites } = (await api.get('/sites.php', { key })).body as {
        sites: { id: number; name: string }[];
      };
      expect(sites).toMatchObject([{ name: 'Hauptgebäude' }]);
      const order = { site_id: sites[0]!.id, name: 'Familie Berger' };
      expect((await api.post('/vouchers.php', order, { key })).status).toBe(201);
      await page.getByText('1 created').waitFor();
      expect(await page.evaluate(`window.notReloaded`)).toBe(true);
    });
  },
  { mayComplain: /status of 401/ },
);
