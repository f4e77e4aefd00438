import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { withAdmin, withApi } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { sharedCertificate } from '../support/certificate.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { findAccessibilityIssues, goTo, openFollowing, waitForContent } from '../support/pages.js';
import { adminPassword } from '../support/web.js';

describeInBrowser('the first steps of a new service', (browser) => {
  const api = withAdmin();
  let page: Page;

  beforeAll(async () => {
    ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
    await openFollowing(page, `${api.url}/overview`);
    await waitForContent(page);
  });

  const card = () => page.getByRole('region', { name: 'Erste Schritte' });
  const dialog = () => page.getByRole('dialog');
  /** With the keyboard alone: follows the link of a step, and closes the dialog that it opens. */
  const followStep = async (step: string, path: string, title: RegExp): Promise<void> => {
    await card().getByRole('link', { name: step }).press('Enter');
    await page.waitForURL(`**${path}`);
    await page.getByRole('dialog', { name: title }).waitFor();
  };
  const goBack = async (): Promise<void> => {
    await goTo(page, `${api.url}/overview`);
    await card().waitFor();
  };

  test('each leads to the dialog where it is done, and is ticked when it is', async () => {
    await page.getByText('0 von 6 erledigt').waitFor();
    expect(await card().getByRole('link').count()).toBe(6);
    // The steps say it already, and many services have no API key.
    expect(await page.getByText('Das braucht Ihre Aufmerksamkeit').count()).toBe(0);
    expect(await findIssuesInEveryLook(page, 'first-steps')).toEqual([]);

    await followStep('Controller hinzufügen', '/controllers?dialog=add', /Controller hinzufügen/);
    await goBack();
    await followStep('Standort hinzufügen', '/controllers?dialog=add', /Controller hinzufügen/);
    await goBack();
    await followStep('Profil hinzufügen', '/profiles?dialog=add', /Profil/);
    await goBack();
    await followStep('Benutzer für den Empfang', '/users?dialog=create', /Benutzer/);
    await api.admin.post('/controllers', { name: 'Haus', kind: 'simulated' });
    await goBack();
    await page.getByText('1 von 6 erledigt').waitFor();

    const [controller] = await api.tables.controllers.all();
    await followStep('Standort hinzufügen', `/controllers?dialog=sites&id=${String(controller!.id)}`, /Haus/);
    // A link alone does not call the controller.
    expect(
      await dialog()
        .getByRole('button', { name: /hinzufügen/ })
        .count(),
    ).toBe(0);
    await dialog().getByRole('button', { name: 'Verbindung testen' }).press('Enter');
    await dialog()
      .getByRole('button', { name: /1 Standort hinzufügen/ })
      .press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await goBack();
    await page.getByText('2 von 6 erledigt').waitFor();
    const [site] = await api.tables.sites.all();
    await followStep('Name des WLANs', `/sites?dialog=wifi&id=${String(site!.id)}`, /Haus/);
    await dialog().getByRole('tab', { name: 'WLAN', selected: true }).waitFor();
    await page
      .locator(':focus')
      .and(dialog().getByLabel('WLAN', { exact: true }))
      .waitFor();
    await goBack();
    // The only site is meant; somebody without any could do nothing.
    await followStep('Benutzer für den Empfang', '/users?dialog=create', /Benutzer/);
    const warning = dialog().getByText('Ohne Standort sieht und erstellt diese Person nichts.');
    await dialog().getByLabel('Standorte').and(page.locator('[placeholder=""]')).waitFor();
    expect(await warning.count()).toBe(0);
    await dialog().getByLabel('Standorte').press('Backspace');
    await warning.waitFor();
    // Loaded: the dialog has changes, which a link would ask about.
    await openFollowing(page, `${api.url}/overview`);
    await card().getByRole('link', { name: 'Ersten Voucher erstellen' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Empfang' }).waitFor();
    await goBack();
  });

  test('an administrator hides them, shows them again, and they go when all are done', async () => {
    await card().getByRole('button', { name: 'Ausblenden' }).click();
    await card().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Erste Schritte zeigen' }).click();
    await card().waitFor();
    const [site] = await api.tables.sites.all();
    await api.admin.patch(`/sites/${String(site!.id)}`, { ssid: 'Gäste' });
    await api.admin.post('/profiles', { name: 'Tagesgast', maxUses: 1, expireMinutes: 1440 });
    // Neither of these can hand out vouchers at the front desk.
    await api.admin.post('/users', { name: 'Mira', role: 'admin' });
    await api.admin.post('/users', { name: 'Ohne Standort', role: 'staff' });
    await page.getByText('4 von 6 erledigt').waitFor();
    await api.admin.post('/users', { name: 'Jonas', role: 'staff', siteIds: [site!.id] });
    await page.getByText('5 von 6 erledigt').waitFor();
    const limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };
    const order = { siteId: site!.id, name: 'Zimmer 12', count: 1, limits };
    expect((await api.admin.put(`/orders/${crypto.randomUUID()}`, order)).status).toBe(200);
    // Told by an event, without a reload.
    await card().waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Erste Schritte zeigen' }).count()).toBe(0);
  });
});

describe('a demo', () => {
  describeInBrowser(
    'in a browser',
    (browser) => {
      const api = withAdmin({ isDemo: true });

      test('says on every page that it is one, before and after the sign-in', async () => {
        const { page: signedOut } = await browser.open(api, { width: 320 });
        for (const path of ['/', '/kiosk#x']) {
          await signedOut.goto(api.url + path);
          await signedOut.getByRole('note').getByText('Der Controller ist simuliert').waitFor();
          expect(await findAccessibilityIssues(signedOut)).toEqual([]);
          // The page may be drawn anew meanwhile, once it has heard what it shows.
          const isWhole = await signedOut
            .locator('[role=note] .mantine-Badge-label')
            .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
          expect(isWhole).toBe(true);
        }
        const { page } = await browser.open(api, { cookie: api.admin.cookie });
        await page.goto(api.url);
        await page.getByRole('note').getByText('Demo').waitFor();
      });
    },
    { mayComplain: /status of 40\d/ },
  );
});

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
      // The token is not left in the history.
      expect(page.url()).toBe(`${api.url}/first-start`);
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
