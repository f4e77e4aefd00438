import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, goTo } from '../support/pages.js';
import { startTestConsole, type TestConsole } from '../support/unifiConsole.js';

/** The smallest PNG. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describeInBrowser(
  'the pages for controllers, sites, profiles and webhooks',
  (browser) => {
    const api = withAdmin({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
    let unifi: TestConsole;
    let target: WebhookTarget;
    let page: Page;

    beforeAll(async () => {
      [unifi, target] = [await startTestConsole(), await startWebhookTarget()];
      ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
    });
    afterAll(async () => {
      await unifi.console.stop();
      await target.stop();
    });

    const click = (name: string): Promise<void> =>
      page.getByRole('button', { name, exact: true }).first().click();
    const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });

    /** Chooses something from the menu of a row. */
    const choose = async (row: string, action: string): Promise<void> => {
      await click(`Aktionen für ${row}`);
      await page.getByRole('menuitem', { name: action }).click();
    };
    /** What is wrong with the dialog that is open. */
    const issues = (): Promise<string[]> => findAccessibilityIssues(page, '[role=dialog]');

    test('a console is added: its certificate is compared and pinned, and its site chosen', async () => {
      const { url, apiKey, fingerprint } = unifi.console;
      await page.goto(`${api.url}/controllers`);
      await click('Controller hinzufügen');
      await field('Name').fill('Zentrale');
      await field('Adresse').fill(url);
      await field('API-Schlüssel').fill(apiKey);
      await click('Verbindung testen');
      const shown = page.locator('[data-fingerprint]');
      await shown.waitFor();
      expect(await shown.getAttribute('data-fingerprint')).toBe(fingerprint);
      expect(await issues()).toEqual([]);
      await click('Stimmt überein – vertrauen und testen');
      await click('Standorte wählen');
      expect(await issues()).toEqual([]);
      await field('Name hier').fill('Hauptgebäude');
      await click('Mit 1 Standort speichern');
      await page.getByText('Zentrale ist eingerichtet').waitFor();
      expect((await api.admin.get('/controllers')).body).toMatchObject({
        controllers: [{ name: 'Zentrale', trust: 'pinned', fingerprint, sites: [{ name: 'Hauptgebäude' }] }],
      });
      await click('Fertig');
      const added = page.getByRole('region', { name: 'Zentrale' });
      await added.getByText('Hauptgebäude').waitFor();
      // Its test has just passed.
      await added.getByText('In Ordnung', { exact: true }).waitFor();
    });

    test('a stored controller is tested without its credentials being asked for', async () => {
      await click('Testen');
      await page.getByText('Ist schon hinzugefügt').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });

    test('a profile is made in human units', async () => {
      await goTo(page, `${api.url}/profiles`);
      await click('Profil hinzufügen');
      await field('Name').fill('Tagung');
      await field('Gültig').fill('3');
      await field('Download').fill('1,5');
      expect(await issues()).toEqual([]);
      await click('Speichern');
      await page.getByRole('rowheader', { name: 'Tagung' }).waitFor();
      expect((await api.admin.get('/profiles')).body).toMatchObject({
        profiles: [{ name: 'Tagung', expireMinutes: 3 * 24 * 60, down: 1500, up: 0, siteIds: null }],
      });
    });

    test('a site gets a network, a logo and a default profile; what is no picture is refused at once', async () => {
      await goTo(page, `${api.url}/sites`);
      await choose('Hauptgebäude', 'Ändern');
      await page.getByRole('tab', { name: 'WLAN' }).click();
      await field('WLAN').fill('Gäste');
      await page.getByRole('combobox', { name: 'Schutz' }).selectOption('WPA2 oder WPA3, mit Passwort');
      const password = page.getByRole('dialog').locator('input[type=password]');
      await password.fill('kurz');
      await page.getByRole('tab', { name: 'Allgemein' }).click();
      await click('Speichern');
      // The part with the error is shown.
      await page.getByText('Ein WLAN-Passwort hat 8 bis 63 Zeichen').waitFor();
      expect(await issues()).toEqual([]);
      await password.fill('sommer;2026');
      await page.getByRole('tab', { name: 'Zettel' }).click();
      await field('Text auf Zetteln').fill('Willkommen!');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: picture });
      await page.getByText('Das ist kein Bild').waitFor();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture });
      await page.getByRole('figure').getByRole('img', { name: 'Logo' }).waitFor();
      expect(await issues()).toEqual([]);
      await page.getByRole('tab', { name: 'Allgemein' }).click();
      expect(await issues()).toEqual([]);
      await page.getByRole('combobox', { name: 'Standardprofil' }).click();
      await page.getByRole('option', { name: 'Tagung' }).click();
      await click('Speichern');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('cell', { name: 'Gäste' }).waitFor();
      expect((await api.admin.get('/sites')).body).toMatchObject({
        sites: [
          {
            ...{ ssid: 'Gäste', wifiKind: 'wpa', hasWifiPassword: true },
            ...{ slipText: 'Willkommen!', hasLogo: true, defaultProfileId: 1 },
          },
        ],
      });
      expect((await api.admin.get('/desk')).body).toMatchObject({
        sites: [{ wifiPassword: 'sommer;2026', wifiJoinText: 'WIFI:T:WPA;S:Gäste;P:sommer\\;2026;;' }],
      });
    });

    test('a site gets its own texts, beside what guests get of them', async () => {
      await choose('Hauptgebäude', 'Eigene Texte');
      const preview = page.getByRole('group', { name: /Vorschau/ });
      await field('Überschrift').fill('Willkommen {nobody}');
      // What was typed is not lost by a key.
      await page.keyboard.press('Escape');
      await page.getByText('Zeile 1, Zeichen 12: {nobody} gibt es hier nicht.').waitFor();
      await field('Überschrift').fill('Willkommen im {site}');
      await preview.getByText('Willkommen im Hauptgebäude').waitFor();
      expect(await issues()).toEqual([]);
      // Nothing stands under the name of another language until its own preview is there.
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/texts/*/preview', async (route) => {
        await held;
        await route.continue();
      });
      const language = page.getByRole('dialog').getByLabel('Sprache des Gastes');
      await language.selectOption('English');
      await preview.getByText('Willkommen im Hauptgebäude').waitFor({ state: 'hidden' });
      answer();
      await preview.getByText('Access code').first().waitFor();
      await page.unroute('**/texts/*/preview');
      await language.selectOption('Deutsch');
      await preview.getByText('Willkommen im Hauptgebäude').waitFor();
      await page.getByRole('dialog').getByText('E-Mail', { exact: true }).click();
      await field('Betreff').fill('<b>WLAN</b>: {site}');
      await preview.getByRole('heading', { name: '<b>WLAN</b>: Hauptgebäude' }).waitFor();
      await page.frameLocator('iframe').getByText('12345-67890').waitFor();
      expect(await issues()).toEqual([]);
      await click('Speichern');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect((await api.admin.get('/texts/1')).body).toMatchObject({
        texts: { de: { slipHeading: 'Willkommen im {site}', emailSubject: '<b>WLAN</b>: {site}' } },
      });
    });

    test('a site is switched off, and on again by undoing that', async () => {
      await choose('Hauptgebäude', 'Abschalten');
      await page.getByRole('cell', { name: 'Aus', exact: true }).waitFor();
      await click('Rückgängig');
      await page.getByRole('cell', { name: 'Aktiv', exact: true }).waitFor();
    });

    test('a webhook shows its secret once, and what its target answers to a test', async () => {
      await goTo(page, `${api.url}/webhooks`);
      await click('Webhook hinzufügen');
      await page.getByLabel('Sprache der Nachrichten').selectOption('Français');
      expect(await issues()).toEqual([]);
      await page.getByRole('combobox', { name: 'Wohin?' }).click();
      await page.getByRole('option', { name: 'Eigenes Programm' }).click();
      await field('Adresse des Webhooks').fill(`${target.url}/vouchers`);
      await field('Name').fill('Buchung');
      await click('Hinzufügen');
      await page.getByText(/^whsec_/).waitFor();
      expect(await issues()).toEqual([]);
      await click('Test senden');
      await page.getByText('Das Ziel hat mit Status 20').waitFor();
      await click('Fertig');
      await page.getByRole('rowheader', { name: 'Buchung' }).waitFor();
      await page
        .getByText(/whsec_/)
        .first()
        .waitFor({ state: 'detached' });
    });

    test('a controller is removed by its name, once its sites are off', async () => {
      await goTo(page, `${api.url}/controllers`);
      const remove = async (): Promise<void> => {
        await choose('Zentrale', 'Entfernen');
        await field('Zur Bestätigung').fill('Zentrale');
        await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click();
      };
      await remove();
      await page.getByText('Bitte zuerst abschalten').waitFor();
      await click('Abbrechen');
      await api.admin.patch('/sites/1', { isActive: false });
      await remove();
      await page.getByText('Noch kein Controller').waitFor();
    });
  },
  { mayComplain: /status of 409/ },
);
