import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, openFollowing, untilDrawn, waitForContent } from '../support/pages.js';

/** What is wider than the screen. */
const tooWide = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.outerHTML.slice(0, 120))`;

describeInBrowser('the first steps of a new service', (browser) => {
  const api = withAdmin();
  let page: Page;

  beforeAll(async () => {
    ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
    await page.goto(`${api.url}/overview`);
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
    await openFollowing(page, `${api.url}/overview`);
    await waitForContent(page);
    await card().waitFor();
  };

  test('each leads to the dialog where it is done, and is ticked when it is', async () => {
    await page.getByText('0 von 6 erledigt').waitFor();
    expect(await card().getByRole('link').count()).toBe(6);
    // The steps say it already, and many services have no API key.
    expect(await page.getByText('Das braucht Ihre Aufmerksamkeit').count()).toBe(0);
    for (const width of [1440, 390, 320])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await untilDrawn(page);
        expect(await findAccessibilityIssues(page)).toEqual([]);
        expect(await page.evaluate(tooWide)).toEqual([]);
      }
    await page.setViewportSize({ width: 1440, height: 900 });

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
    expect(await findAccessibilityIssues(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Verbindung testen' }).press('Enter');
    await dialog()
      .getByRole('button', { name: /1 Standort hinzufügen/ })
      .press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await goBack();
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
    expect(await findAccessibilityIssues(page)).toEqual([]);
    await goBack();
    await card().getByRole('link', { name: 'Ersten Voucher erstellen' }).press('Enter');
    await page.waitForURL('**/desk');
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
        for (const path of ['/overview', '/desk']) {
          await page.goto(api.url + path);
          await waitForContent(page);
          expect(await page.getByRole('note').innerText()).toContain('Demo');
        }
      });
    },
    { mayComplain: /status of 40\d/ },
  );
});
