import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { withApi } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { sharedCertificate } from '../support/certificate.js';
import { waitForContent } from '../support/pages.js';
import { adminPassword } from '../support/web.js';

/** More stops than any page has. */
const maxStops = 120;

describeInBrowser(
  'with the keyboard alone',
  (browser) => {
    const api = withApi({ key: false, site: false });
    let unifi: UnifiConsole;
    let page: Page;

    beforeAll(async () => {
      unifi = await startUnifiConsole({ certificate: await sharedCertificate() });
      ({ page } = await browser.open(api, { language: 'en' }));
    });
    afterAll(() => unifi.stop());

    const hasFocus = async (target: Locator): Promise<boolean> =>
      (await target.and(page.locator(':focus')).count()) > 0;
    /** Goes on by Tab until something has the focus. */
    const tabTo = async (target: Locator): Promise<void> => {
      await target.waitFor();
      for (let stop = 0; stop < maxStops; stop += 1) {
        if (await hasFocus(target)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${String(target)}`);
    };
    const type = async (field: Locator, text: string): Promise<void> => {
      await tabTo(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    };
    const press = async (target: Locator): Promise<void> => {
      await tabTo(target);
      await page.keyboard.press('Enter');
    };
    const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
    const dialog = (): Locator => page.getByRole('dialog');
    const waitForPage = async (title: string): Promise<void> => {
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await waitForContent(page);
    };
    /** Follows a link of the first steps on the overview. */
    const followStep = async (name: RegExp): Promise<void> => {
      await press(page.getByRole('link', { name: 'Overview', exact: true }));
      await waitForPage('Overview');
      await press(page.getByRole('region', { name: 'First steps' }).getByRole('link', { name }));
      await dialog().waitFor();
    };

    test('somebody comes from the first start to the first voucher', async () => {
      await page.goto((await api.app.firstStartUrl())!);
      await type(page.getByLabel('Name'), 'Anna Berger');
      await type(page.locator('input[type=password]'), adminPassword);
      await page.keyboard.press('Enter');
      await waitForPage('Overview');
      // Not at the top of the document: the form that had the focus is gone.
      await page.locator('main:focus').waitFor();

      await press(button('User menu of Anna Berger'));
      await page.getByRole('menuitem', { name: 'My account' }).waitFor();
      const signOut = page.getByRole('menuitem', { name: 'Sign out' });
      for (let item = 0; item < 5; item += 1)
        if (!(await hasFocus(signOut))) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await waitForPage('Sign in');
      await type(page.getByLabel('Name or e-mail address'), 'Anna Berger');
      await type(page.locator('input[type=password]'), adminPassword);
      await page.keyboard.press('Enter');
      await waitForPage('Overview');

      await followStep(/^Add a controller/);
      await type(dialog().getByLabel(/^Name/), 'Zentrale');
      await type(dialog().getByLabel(/^Address/), unifi.url);
      await type(dialog().getByLabel(/^API key/), unifi.apiKey);
      await page.keyboard.press('Enter');
      // Each step takes the focus of the one before.
      const isInDialog = (): Promise<void> => page.locator('[role=dialog]:focus-within').waitFor();
      await dialog().getByText('This certificate is not trusted yet').waitFor();
      await isInDialog();
      await press(button('They match – trust and test'));
      await press(button('Choose sites'));
      await dialog().getByRole('checkbox').first().waitFor();
      await isInDialog();
      const tick = dialog().getByRole('checkbox').first();
      await tabTo(tick);
      // An only site is ticked already.
      if (!(await tick.isChecked())) await page.keyboard.press('Space');
      await type(
        dialog()
          .getByRole('textbox', { name: /Name here/ })
          .first(),
        'Hauptgebäude',
      );
      await press(button(/^Save with 1 site/));
      await dialog().getByText('Zentrale is set up').waitFor();
      await isInDialog();
      await press(button('Done'));
      await dialog().waitFor({ state: 'hidden' });
      await page.locator('main:focus').waitFor();

      await followStep(/^Add a profile/);
      await type(dialog().getByLabel(/^Name/), 'Day guest');
      await page.keyboard.press('Enter');
      await dialog().waitFor({ state: 'hidden' });

      await press(page.getByRole('link', { name: 'Front desk', exact: true }));
      await waitForPage('Front desk');
      await type(page.getByLabel(/^For whom/), 'Room 12');
      await page.keyboard.press('Enter');
      await page.locator('h2.code').waitFor();
      const code = await page.locator('h2.code').innerText();
      const [created] = unifi.vouchers();
      expect(created?.code).toBe(code.replaceAll(/\D/g, ''));
    });
  },
  { mayComplain: /status of 401/ },
);
