import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { sharedCertificate } from '../support/certificate.js';
import { findAccessibilityIssues, untilDrawn, waitForContent } from '../support/pages.js';

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
    for (const width of [1440, 390, 320])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await untilDrawn(page);
        expect(await findAccessibilityIssues(page)).toEqual([]);
        if (process.env['SHOTS'])
          await page.screenshot({
            path: `${process.env['SHOTS']}/foreign-${colorScheme}-${String(width)}.png`,
          });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
    // With the keyboard alone.
    await dialog().getByRole('checkbox').first().press('Space');
    await dialog().getByRole('button', { name: '1 Voucher übernehmen' }).press('Enter');
    await page.getByText('1 Voucher wurde übernommen.').waitFor();
    await dialog().getByRole('button', { name: 'Alle übernehmen (2)' }).press('Enter');
    await dialog().getByText('Keine fremden Voucher').waitFor();
    await page.keyboard.press('Escape');
    expect(await api.tables.vouchers.count((await api.tables.sites.all()).map(({ id }) => id))).toBe(3);
    await page.goto(`${api.url}/vouchers`);
    await page.getByText('Übernommen').first().waitFor();
  });

  test('a site is compared with its controller now, and the page says what came of it', async () => {
    const [voucher] = unifi.vouchers();
    unifi.use(voucher!.code);
    await page.goto(`${api.url}/sites`);
    await waitForContent(page);
    await choose('Jetzt abgleichen');
    await page.getByText(/Abgeglichen: 1 Voucher geändert/).waitFor();
    await page.goto(`${api.url}/controllers`);
    await waitForContent(page);
    await choose('Jetzt abgleichen');
    await page.getByText(/Abgeglichen: nichts geändert/).waitFor();
  });
});
