import { beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { withDesk } from '../support/deskFixture.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { changeUser, openFollowing, untilValue, waitForContent } from '../support/pages.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { type Browser as SignedIn, signInNew } from '../support/web.js';

/** What roles may order, in a real browser: where administrators set it, and what the desk and a kiosk make of it. */
describeInBrowser(
  'limits',
  (browser) => {
    const api = withAdmin({ site: { name: 'Haus' } });
    let staff: SignedIn;
    let page: Page;
    let profileId = 0;

    beforeAll(async () => {
      const added = await api.admin.post('/profiles', { name: 'Tag', maxUses: 1, expireMinutes: 1440 });
      profileId = (added.body as { id: number }).id;
      await api.admin.post('/profiles', { name: 'Monat', maxUses: 5, expireMinutes: 43_200 });
      staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
      ({ page } = await browser.open(api));
    });

    const open = async (cookie: string, path: string): Promise<void> => {
      await changeUser(page, api.url, cookie);
      await page.goto(api.url + path);
      await waitForContent(page);
    };
    const rules = async () =>
      ((await api.admin.get('/order-limits')).body as WebSchema<'OrderLimitList'>).limits;
    test('an administrator adds one, which is refused twice, changes it, and removes it', async () => {
      await open(api.admin.cookie, '/limits');
      await page.getByText('Noch keine Limits').waitFor();
      await page.getByRole('button', { name: 'Limit hinzufügen' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Limit hinzufügen' });
      await dialog.getByLabel('Voucher am Tag höchstens').fill('3');
      // Not the opposite of what may be meant: without a number there is no limit.
      await dialog.getByLabel('Längste Gültigkeit', { exact: true }).fill('0');
      await page.keyboard.press('Enter');
      await dialog.getByText('Bitte mehr als 0 eingeben, oder leer lassen').waitFor();
      expect(await rules()).toEqual([]);
      await dialog.getByLabel('Längste Gültigkeit', { exact: true }).fill('7');
      await dialog.getByLabel('Einheit von Längste Gültigkeit').click();
      await page.getByRole('option', { name: 'Tage' }).click();
      await dialog.getByLabel('Voucher auf einmal höchstens').fill('2');
      await dialog.getByLabel('Eigene Werte erlauben').uncheck();
      await dialog.getByLabel('„Für wen?“ muss ausgefüllt sein').check();
      expect(await findIssuesInEveryLook(page, 'add-limit')).toEqual([]);
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.waitFor({ state: 'detached' });
      const row = page.getByRole('row', { name: /Personal/ });
      await row.getByText('7 Tage').waitFor();
      expect(await rules()).toMatchObject([
        {
          ...{ role: 'staff', siteId: null, allowsCustom: false, maxExpireMinutes: 10_080, maxUses: null },
          ...{ maxCount: 2, maxPerDay: 3, requiresName: true },
        },
      ]);
      await page.getByRole('button', { name: 'Limit hinzufügen' }).click();
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.getByText('Für diese Rolle gibt es an diesem Standort schon ein Limit.').waitFor();
      // A kiosk gives one voucher of its profile: the rest is not its business.
      await dialog.getByRole('radio', { name: /^Kiosk/ }).check();
      expect(await dialog.getByLabel('Eigene Werte erlauben').count()).toBe(0);
      await dialog.getByLabel('Wo', { exact: true }).selectOption('Haus');
      await dialog.getByLabel('Voucher am Tag höchstens').fill('0');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /Kiosk/ }).getByText('Haus').waitFor();
      await page.getByRole('button', { name: 'Aktionen für Personal, Alle Standorte' }).click();
      await page.getByRole('menuitem', { name: 'Ändern' }).click();
      const change = page.getByRole('dialog', { name: 'Limit ändern' });
      await untilValue(change.getByLabel('Voucher auf einmal höchstens'), '2');
      await change.getByLabel('Voucher auf einmal höchstens').fill('');
      await change.getByRole('button', { name: 'Speichern' }).click();
      await change.waitFor({ state: 'detached' });
      expect((await rules()).find(({ role }) => role === 'staff')).toMatchObject({ maxCount: null });
      await page.getByRole('button', { name: 'Aktionen für Personal, Alle Standorte' }).click();
      await page.getByRole('menuitem', { name: 'Entfernen' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click();
      await row.waitFor({ state: 'detached' });
      expect(await rules()).toMatchObject([{ role: 'kiosk', siteId: api.siteId, maxPerDay: 0 }]);
    });

    test('a kiosk that has given everything of the day sends guests to the front desk', async () => {
      const body = { siteId: api.siteId, profileId, perHour: 20, asksName: false };
      const { path } = (await api.admin.post('/kiosks', body)).body as WebSchema<'CreatedKiosk'>;
      await open('', path);
      await page.getByRole('button', { name: 'Zugangscode holen' }).click();
      await page.getByText('Gerade sind alle Codes vergeben').waitFor();
      expect(await rowsOf(api, 'vouchers')).toEqual([]);
    });

    test('the desk shows what is allowed before it is sent, and how many are left for today', async () => {
      const limit = {
        ...{ role: 'staff', siteId: null, allowsCustom: false, maxExpireMinutes: 10_080, maxUses: null },
        ...{ maxCount: 2, maxPerDay: 3, requiresName: true },
      };
      await changeUser(page, api.url, staff.cookie);
      await openFollowing(page, `${api.url}/desk`);
      await page.getByRole('radio', { name: /Monat/ }).waitFor();
      // An open page follows.
      const { id } = (await api.admin.post('/order-limits', limit)).body as WebSchema<'OrderLimit'>;
      await page.getByText('Heute noch 3 Voucher von 3').waitFor();
      expect(await page.getByRole('radio').count()).toBe(1);
      // The only profile that is left is chosen.
      await page.getByRole('radio', { name: /Tag/, checked: true }).waitFor();
      const name = page.getByLabel(/^Für wen\?/);
      await name.focus();
      await page.keyboard.press('Enter');
      await page.getByText('Bitte eintragen, für wen der Voucher ist.').waitFor();
      await name.fill('Zimmer 12');
      const count = page.getByLabel('Anzahl (1 bis 2)');
      await count.fill('3');
      await page.getByText('Auf einmal können Sie höchstens 2 Voucher erstellen.').waitFor();
      expect(await findIssuesInEveryLook(page, 'limited-desk')).toEqual([]);
      await count.fill('2');
      await page.keyboard.press('Enter');
      await page.getByText('Heute noch 1 Voucher von 3').waitFor();
      await name.fill('Zimmer 13');
      await page.getByLabel('Anzahl (heute noch 1)').fill('2');
      await page.getByText('Sie können heute noch einen Voucher erstellen (3 am Tag).').waitFor();
      await page.getByLabel('Anzahl (heute noch 1)').fill('1');
      // The limit is lowered in that moment: the service refuses what this page still allows.
      const lowerLimit = async (route: Route): Promise<void> => {
        await api.admin.put(`/order-limits/${String(id)}`, { ...limit, maxPerDay: 2 });
        await route.continue();
      };
      await page.route('**/web/orders/*', lowerLimit, { times: 1 });
      await page.keyboard.press('Enter');
      await page.getByText('Für heute sind alle Voucher erstellt, die Ihnen zustehen (2).').first().waitFor();
      await page.getByRole('button', { name: 'Voucher erstellen', disabled: true }).waitFor();
      expect(await controllerVouchers(api, api.siteId)).toHaveLength(2);
      // Own values are bounded where they are allowed.
      const own = {
        ...limit,
        allowsCustom: true,
        maxExpireMinutes: 60,
        maxUses: 5,
        maxCount: null,
        maxPerDay: null,
      };
      await api.admin.put(`/order-limits/${String(id)}`, own);
      await page.getByText('Höchstens erlaubt: 1 Stunde.').waitFor();
      await page.getByRole('textbox', { name: 'Anmeldungen' }).fill('6');
      await page.getByText('Eine ganze Zahl von 1 bis 5').waitFor();
    });

    test('somebody without a site is told whom to ask, marked in the list of users, and let in once they have one', async () => {
      const lost = await signInNew(api, api.admin, { name: 'Mira Öztürk', role: 'staff' });
      await open(api.admin.cookie, '/users');
      await page.getByRole('row', { name: /Mira/ }).getByText('Kein Standort').waitFor();
      expect(await page.getByText('Kein Standort').count()).toBe(1);
      await open(lost.cookie, '/desk');
      await page.getByText('Ihnen ist kein Standort zugewiesen').waitFor();
      expect(await findIssuesInEveryLook(page, 'no-site')).toEqual([]);
      const { users } = (await api.admin.get('/users')).body as WebSchema<'UserList'>;
      const id = users.find(({ name }) => name === 'Mira Öztürk')?.id ?? 0;
      await api.admin.patch(`/users/${String(id)}`, { siteIds: [api.siteId] });
      await page.reload();
      // The only site is no choice.
      await page.getByLabel(/^Für wen\?/).waitFor();
      expect(await page.getByLabel('Standort').count()).toBe(0);
    });
  },
  { mayComplain: /status of (401|404|409)/ },
);

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
    await desk.goToDesk(cookie);
    const page = desk.page();
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
    const page = desk.page();
    await page.goto(`${api.url}/kiosks?dialog=add`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Site', { exact: true }).selectOption('Bungalows');
    await dialog.getByLabel('Profiles').click();
    const option = page.getByRole('option', { name: 'Fast (not possible at this site)' });
    await option.waitFor();
    expect(await option.getAttribute('data-combobox-disabled')).toBe('true');
  });
});
