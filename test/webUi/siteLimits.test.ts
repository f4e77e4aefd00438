import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../support/browser.js';
import { withDesk } from '../support/deskFixture.js';
import { signInNew } from '../support/web.js';

/** What people see where the controller of a site can not keep every limit, before anything is ordered. */
describeInBrowser('a site whose controller can not limit the speed', (browser) => {
  const desk = withDesk(browser);
  const { api, result, codeShown } = desk;
  let cookie = '';
  beforeAll(async () => {
    const siteId = await api.addSite({ name: 'Bungalows', knobs: { lacks: ['rates'] } });
    const fast = { name: 'Fast', maxUses: 1, expireMinutes: 60, down: 20_000, up: 5000, siteIds: [siteId] };
    expect((await api.admin.post('/profiles', fast)).status).toBe(201);
    ({ cookie } = await signInNew(api, api.admin, { name: 'Eva Roth', role: 'admin', siteIds: [] }));
  });

  test('the desk says which profile and which values of one’s own are not possible there', async () => {
    const page = await desk.open({ cookie });
    await page.goto(`${api.url}/desk`);
    await page.getByLabel('Site').selectOption('Bungalows');
    const fast = page.getByRole('radio', { name: /Fast/ });
    await page.getByText('Not possible at this site: Download, Upload').waitFor();
    expect(await fast.isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: /Conference/ }).isEnabled()).toBe(true);

    await page.getByRole('radio', { name: /^Custom/ }).check();
    const why = page.getByText('The controller of this site can’t limit the speed.');
    await why.first().waitFor();
    // Said of download and of upload.
    expect(await why.count()).toBe(2);
    const download = page.getByLabel('Download', { exact: true });
    expect(await download.getAttribute('aria-invalid')).not.toBe('true');
    await download.fill('5');
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await download.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: /^Create/ }).click();
    expect(await result().getByRole('heading').count()).toBe(0);

    await download.fill('');
    await page.getByRole('button', { name: /^Create/ }).click();
    await codeShown();
  });

  test('a kiosk there can not offer such a profile', async () => {
    const page = await desk.open({ cookie });
    await page.goto(`${api.url}/kiosks?dialog=add`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Site', { exact: true }).selectOption('Bungalows');
    await dialog.getByLabel('Profiles').click();
    const option = page.getByRole('option', { name: 'Fast (not possible at this site)' });
    await option.waitFor();
    expect(await option.getAttribute('data-combobox-disabled')).toBe('true');
  });
});
