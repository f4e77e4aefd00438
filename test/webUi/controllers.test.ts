import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type MikrotikRouter, startMikrotikRouter } from '../../simulators/mikrotik/router.js';
import { type OmadaController, startOmadaController } from '../../simulators/omada/controller.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { makeRadiusPostgres, type RadiusDatabase } from '../controllers/radiusSql/radiusDatabase.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { sharedCertificate } from '../support/certificate.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { findAccessibilityIssues, goTo, waitForContent } from '../support/pages.js';
import { plantSecrets } from '../support/secretLeaks.js';

describeInBrowser('controllers of other vendors', (browser) => {
  const api = withAdmin();
  let radius: RadiusDatabase;
  let omada: OmadaController;
  let router: MikrotikRouter;
  let page: Page;

  beforeAll(async () => {
    const certificate = await sharedCertificate();
    radius = await makeRadiusPostgres();
    omada = await startOmadaController({ certificate });
    router = await startMikrotikRouter({ userManager: 'on', usesRadius: false });
    plantSecrets([radius.credentials.password, omada.clientSecret, router.password]);
    ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
  });
  afterAll(async () => {
    await Promise.all([omada.stop(), router.stop(), radius.drop()]);
  });

  const dialog = () => page.getByRole('dialog');
  const click = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click();
  const field = (name: string) => dialog().getByRole('textbox', { name, exact: true });

  /** Opens the wizard, and returns what it says of a kind. */
  const choose = async (kind: string): Promise<string> => {
    await page.goto(`${api.url}/controllers?dialog=add`);
    const option = dialog().getByRole('radio', { name: kind });
    await option.check();
    const described = await option.getAttribute('aria-describedby');
    return page.locator(`[id="${described ?? ''}"]`).innerText();
  };

  /** Saves the first site that was found. */
  const save = async (name: string): Promise<void> => {
    await click('Standorte wählen');
    await dialog().getByRole('checkbox').first().check();
    await click('Mit 1 Standort speichern');
    await page.getByText(`${name} ist eingerichtet`).waitFor();
    await click('Fertig');
  };

  const controllers = async () =>
    ((await api.admin.get('/controllers')).body as { controllers: object[] }).controllers;
  const stored = async (name: string) =>
    (await controllers()).find((controller) => 'name' in controller && controller.name === name);

  test('a RADIUS server: tried on FreeRADIUS 3.2, and what its server lacks is there to be copied', async () => {
    expect(await choose('RADIUS-Server')).toContain('Erprobt mit FreeRADIUS 3.2');
    await field('Name').fill('Funknetz');
    await field('Adresse').fill(radius.url);
    await field('Benutzer').fill(radius.credentials.username);
    await dialog().locator('input[type=password]').fill(radius.credentials.password);
    await dialog().getByText('Zertifikat: keines, unverschlüsselt').waitFor();
    await dialog()
      .getByRole('checkbox', { name: 'Die Zugangspunkte begrenzen die Geschwindigkeit' })
      .uncheck();
    await field('Port für Disconnect-Requests').fill('1700');
    expect(await findAccessibilityIssues(page)).toEqual([]);
    await click('Verbindung testen');
    await dialog().getByText('policy.d/voucherd').waitFor();
    expect(await findAccessibilityIssues(page)).toEqual([]);
    await save('Funknetz');
    expect(await stored('Funknetz')).toMatchObject({
      ...{ kind: 'radius-sql', trust: 'none' },
      options: { tls: 'off', hasRates: false, disconnectPort: 1700 },
    });
    const card = page.getByRole('region', { name: 'Funknetz' });
    await card.getByText('Zertifikat: keines, unverschlüsselt').waitFor();
    await card
      .getByText('Die Zeit läuft ab der ersten Nutzung · Nutzungen sind verschiedene Geräte')
      .waitFor();
  });

  test('its connection is encrypted once that is chosen, and the audit log tells both', async () => {
    await click('Aktionen für Funknetz');
    await page.getByRole('menuitem', { name: 'Ändern' }).click();
    await dialog().getByText('Zertifikat: keines, unverschlüsselt').click();
    await dialog().getByRole('radio', { name: 'Dem, das das System anerkennt' }).check();
    await click('Speichern');
    await dialog().waitFor({ state: 'hidden' });
    expect(await stored('Funknetz')).toMatchObject({
      trust: 'system',
      options: { tls: 'system', hasRates: false, disconnectPort: 1700 },
    });
    await page.goto(`${api.url}/audit`);
    await page.getByText('Vertrauen: Zertifikat einer bekannten Stelle').first().waitFor();
    await page.getByText('Vertrauen: keines, unverschlüsselt').first().waitFor();
  });

  test('Omada: by its documentation', async () => {
    expect(await choose('TP-Link Omada')).toContain('noch an keinem echten Gerät erprobt');
    await field('Name').fill('Hotel');
    await field('Adresse').fill(omada.url);
    await field('Client-ID').fill(omada.clientId);
    await dialog().locator('input[type=password]').fill(omada.clientSecret);
    await click('Verbindung testen');
    await click('Stimmt überein – vertrauen und testen');
    await save('Hotel');
    expect(await stored('Hotel')).toMatchObject({ kind: 'omada', trust: 'pinned', options: {} });
  });

  test('MikroTik: by its documentation, with or without User Manager, and the lines that it lacks', async () => {
    expect(await choose('MikroTik')).toContain('noch an keinem echten Gerät erprobt');
    await field('Name').fill('Router');
    await field('Adresse').fill(router.url);
    await field('Benutzer').fill(router.username);
    await dialog().locator('input[type=password]').fill(router.password);
    await click('Verbindung testen');
    await click('Stimmt überein – vertrauen und testen');
    const advice = dialog().getByText('aber kein Hotspot dieses Routers fragt einen RADIUS-Server');
    await advice.waitFor();
    await dialog().getByText('/radius add service=hotspot').waitFor();
    await dialog().getByRole('button', { name: 'Kopieren' }).waitFor();
    await click('Zurück');
    await dialog().getByRole('checkbox', { name: 'User Manager verwenden, wo der Router ihn hat' }).uncheck();
    await click('Verbindung testen');
    await page.getByRole('button', { name: 'Standorte wählen', disabled: false }).waitFor();
    expect(await advice.count()).toBe(0);
    await save('Router');
    expect(await stored('Router')).toMatchObject({
      kind: 'mikrotik',
      options: { usesUserManager: false },
    });
    await page
      .getByRole('region', { name: 'Router' })
      .getByText('Nutzungen sind gleichzeitige Gäste')
      .waitFor();
  });
});

describeInBrowser('vouchers on a console that are not ours', (browser) => {
  const api = withAdmin({ env: { CONTROLLER_DEADLINE_S: '60' } });
  let unifi: UnifiConsole;
  let page: Page;

  beforeAll(async () => {
    unifi = await startUnifiConsole({ certificate: await sharedCertificate() });
    unifi.seed(2, { name: 'Familie Fremd' });
    unifi.seed(1, { name: `${'sehr langer Name '.repeat(30)}😀`, limit: 0 });
    const { url, fingerprint, apiKey } = unifi;
    const controller = { name: 'Zentrale', kind: 'unifi', url, fingerprint, credentials: { apiKey } };
    const { id } = (await api.admin.post('/controllers', controller)).body as { id: number };
    const sites = [{ name: 'Hauptgebäude', controllerSite: 'default' }];
    await api.admin.post(`/controllers/${String(id)}/sites`, { sites });
    ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
  });
  afterAll(() => unifi.stop());

  const dialog = () => page.getByRole('dialog');
  const choose = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: /Aktionen/ }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };

  test('they are listed for a site, and adopted one by one or all', async () => {
    await page.goto(`${api.url}/sites`);
    await waitForContent(page);
    await choose('Fremde Voucher');
    await dialog().getByText('Familie Fremd').first().waitFor();
    expect(await findIssuesInEveryLook(page, 'foreign')).toEqual([]);
    // With the keyboard alone.
    await dialog().getByRole('checkbox').first().press('Space');
    await dialog().getByRole('button', { name: '1 Voucher übernehmen' }).press('Enter');
    await page.getByText('1 Voucher wurde übernommen.').waitFor();
    await dialog().getByRole('button', { name: 'Alle übernehmen (2)' }).press('Enter');
    await dialog().getByText('Keine fremden Voucher').waitFor();
    await page.keyboard.press('Escape');
    expect(await api.tables.vouchers.count((await api.tables.sites.all()).map(({ id }) => id))).toBe(3);
    await goTo(page, `${api.url}/vouchers`);
    await page.getByText('Übernommen').first().waitFor();
  });

  test('a site is compared with its controller now, and the page says what came of it', async () => {
    const [voucher] = unifi.vouchers();
    unifi.use(voucher!.code);
    await goTo(page, `${api.url}/sites`);
    await choose('Jetzt abgleichen');
    await page.getByText(/Abgeglichen: 1 Voucher geändert/).waitFor();
    await goTo(page, `${api.url}/controllers`);
    await choose('Jetzt abgleichen');
    await page.getByText(/Abgeglichen: nichts geändert/).waitFor();
  });
});
