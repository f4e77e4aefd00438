import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { type MailServer, startMailServer } from '../support/mailServer.js';
import {
  findAccessibilityIssues,
  openAgain,
  openFollowing,
  untilDrawn,
  untilTitle,
  untilValue,
  waitForContent,
} from '../support/pages.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { decide, makeGuest, waiting } from '../webApi/guestsFixture.js';

/** A page for everybody, as an administrator opens it, as guests use it on a phone, and as staff see it. */
describeInBrowser(
  'guest pages',
  (browser) => {
    let mail: MailServer;
    const api = withAdmin({
      site: {},
      beforeStart: async () => {
        mail = await startMailServer();
        return { env: { SMTP_URL: mail.url, MAIL_FROM: 'wifi@example.org' } };
      },
    });
    afterAll(() => mail.stop());
    beforeAll(async () => {
      await api.admin.put('/account/language', { language: 'en' });
      await api.admin.patch(`/sites/${String(api.siteId)}`, { ssid: 'Gäste' });
      await api.admin.post('/profiles', { name: 'Day guest', maxUses: 1, expireMinutes: 1440 });
    });
    const open = async (path: string, options: Parameters<typeof browser.open>[1] = {}): Promise<Page> => {
      const { page } = await browser.open(api, { language: 'en', ...options });
      await page.goto(api.url + path);
      return page;
    };
    /** A guest page where staff have to agree. */
    const openPage = async (slug: string, values: object = {}): Promise<void> => {
      const { sites } = (await api.admin.get('/desk')).body as {
        sites: { id: number; profiles: { id: number }[] }[];
      };
      const profileId = sites[0]?.profiles[0]?.id;
      const page = { siteId: api.siteId, profileId, perHour: 10, asksName: true, slug };
      const kiosk = { ...page, needsApproval: true, perDevice: 5, ...values };
      expect((await api.admin.post('/kiosks', kiosk)).status).toBe(201);
    };
    const codeOf = async (page: Page): Promise<string> => {
      const code = page.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ });
      await code.waitFor();
      return (await code.innerText()).replace('-', '');
    };

    test('an administrator opens one; a guest gets one voucher on a phone, also after closing the page', async () => {
      const page = await open('/kiosks', { cookie: api.admin.cookie });
      await page.getByRole('button', { name: 'Add a kiosk' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Kind').selectOption('public');
      await untilValue(dialog.getByRole('textbox', { name: 'Address' }), 'hauptgebaeude');
      await dialog.getByRole('textbox', { name: 'Address' }).fill('Hotel');
      const hint = dialog.getByText('Without a name, the front desk can’t see who is asking.');
      const approval = dialog.getByRole('switch', { name: 'Requires approval by the front desk' });
      await approval.click();
      await hint.waitFor();
      await dialog.getByLabel('Name of the guest').selectOption('optional');
      await hint.waitFor({ state: 'detached' });
      await approval.click();
      await dialog.getByRole('switch', { name: 'Offer the code by e-mail' }).click();
      expect(await findAccessibilityIssues(page)).toEqual([]);
      await page.getByRole('dialog', { name: 'Add a guest page' }).waitFor();
      await dialog.getByRole('button', { name: 'Add a guest page' }).click();
      await page.getByRole('dialog', { name: 'Guest page “Hauptgebäude”' }).waitFor();
      await dialog.getByText(`${api.url}/guest/hotel`).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('link', { name: '/guest/hotel' }).waitFor();

      const phone = await open('/guest/hotel', { width: 390, colorScheme: 'dark' });
      expect(await findIssuesInEveryLook(phone, 'guest')).toEqual([]);
      await phone.getByLabel('Your name').fill('Ann 🦊 <img src=x onerror=alert(1)>');
      await phone.getByRole('button', { name: 'Get an access code' }).dblclick();
      const code = await codeOf(phone);
      expect(await findIssuesInEveryLook(phone, 'guest-code')).toEqual([]);
      expect(await controllerVouchers(api, api.siteId)).toMatchObject([{ code }]);
      // Printed or saved: the code and what to do with it, black on white, and nothing to press.
      await phone.evaluate("window.print = () => document.body.setAttribute('data-printed', '')");
      await phone.getByRole('button', { name: 'Print or save' }).click();
      await phone.locator('body[data-printed]').waitFor();
      await phone.emulateMedia({ media: 'print' });
      await phone.getByText('Hauptgebäude').waitFor();
      await phone.getByRole('button').first().waitFor({ state: 'hidden' });
      const colour = await phone.evaluate("getComputedStyle(document.querySelector('h1')).color");
      expect(colour).toBe('rgb(0, 0, 0)');
      await phone.emulateMedia({ media: 'screen' });
      await phone.getByLabel('Get the code by e-mail').fill('ann@example.org');
      await phone.getByRole('button', { name: 'Send' }).dblclick();
      await phone.getByText('On its way to ann@example.org.').waitFor();
      await until('the e-mail', () => mail.mails.length > 0);
      expect(mail.mails).toHaveLength(1);
      const reopened = await phone.context().newPage();
      await phone.close();
      await reopened.goto(`${api.url}/guest/hotel`);
      expect(await codeOf(reopened)).toBe(code);
      await reopened.getByRole('button', { name: 'Done' }).click();
      await reopened.getByRole('button', { name: 'Get an access code' }).waitFor();
      expect(await controllerVouchers(api, api.siteId)).toHaveLength(1);
      // What is offered no longer, on a page that was open before.
      const rule = { role: 'guest', siteId: api.siteId, allowsCustom: true, requiresName: false };
      const values = { ...rule, maxExpireMinutes: 60, maxUses: null, maxCount: null, maxPerDay: null };
      const { id } = (await api.admin.post('/order-limits', values)).body as { id: number };
      await reopened.getByRole('button', { name: 'Get an access code' }).click();
      await reopened.getByText('This is no longer offered').waitFor();
      await api.admin.delete(`/order-limits/${String(id)}`);
      const closed = await open('/guest/unknown', { width: 320 });
      await closed.getByText('This page is not open').waitFor();
      expect(await findIssuesInEveryLook(closed, 'guest-closed')).toEqual([]);
    });

    test('staff see a request without a reload, agree, and the guest sees the code; another is refused', async () => {
      await openPage('ask');
      const { page: desk } = await browser.open(api, { cookie: api.admin.cookie, language: 'en' });
      await openFollowing(desk, `${api.url}/desk`);
      await desk.getByRole('heading', { level: 1 }).waitFor();
      const phone = await open('/guest/ask', { width: 390 });
      const ask = async (name: string): Promise<void> => {
        await phone.getByLabel('Your name').fill(name);
        await phone.getByRole('button', { name: 'Get an access code' }).click();
        await phone.getByText('One moment, please').waitFor();
      };
      await ask('Zoë');
      expect(await findIssuesInEveryLook(phone, 'guest-waiting')).toEqual([]);
      await desk.getByRole('button', { name: 'Approve: Zoë' }).waitFor();
      expect(await findAccessibilityIssues(desk)).toEqual([]);
      // Closed and opened again while it waits.
      await openAgain(phone);
      await phone.getByText('One moment, please').waitFor();
      await desk.getByRole('button', { name: 'Approve: Zoë' }).press('Enter');
      await desk.getByText('Zoë gets a code.').waitFor();
      // The keys go on where the request was.
      await desk
        .locator('section[aria-label="Guests are waiting for your approval"]:focus')
        .waitFor({ state: 'attached' });
      const code = await codeOf(phone);
      expect((await controllerVouchers(api, api.siteId)).map((row) => row['code'])).toContain(code);
      await phone.getByRole('button', { name: 'Done' }).click();
      await ask('Jan');
      await desk.getByRole('button', { name: 'Refuse: Jan' }).click();
      await phone.getByText('The front desk did not approve your request').waitFor();

      // Cancelled: the desk no longer sees it, and a click that comes too late says so.
      await phone.getByRole('button', { name: 'Back' }).click();
      await ask('Ida');
      const approve = desk.getByRole('button', { name: 'Approve: Ida' });
      await approve.waitFor();
      const orderOfPhone = '**/web/guest/ask/orders/*';
      await phone.route(orderOfPhone, (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      );
      await phone.getByRole('button', { name: 'Cancel' }).click();
      await phone.getByRole('alert').getByText('No connection').waitFor();
      await phone.unroute(orderOfPhone);
      await phone.getByRole('button', { name: 'Try again' }).click();
      await phone.getByRole('button', { name: 'Get an access code' }).waitFor();
      await approve.waitFor({ state: 'detached' });
      expect(await waiting(api.admin)).toEqual([]);

      // The desk was faster: the guest who cancels gets the code nevertheless.
      await ask('Uwe');
      await phone.route(orderOfPhone, async (route) => {
        if (route.request().method() === 'DELETE') {
          const [request] = await waiting(api.admin);
          await decide(api.admin, request?.id ?? '', true);
        }
        await route.continue();
      });
      await phone.getByRole('button', { name: 'Cancel' }).click();
      await codeOf(phone);

      // Nobody has answered for a quarter of an hour.
      await phone.unroute(orderOfPhone);
      await phone.getByRole('button', { name: 'Done' }).click();
      await ask('Eva');
      const before = api.app.now() - 16 * 60_000;
      await api.database.write('guest_requests').where({ state: 'waiting' }).update({ created_at: before });
      await phone.getByText('Nobody has answered').waitFor();
    });

    test('a tab that nobody sees tells in its title how many guests wait', async () => {
      await openPage('hidden');
      const { page: desk } = await browser.open(api, { cookie: api.admin.cookie, language: 'en' });
      await desk.clock.install();
      const looked = desk.waitForResponse((response) => response.url().endsWith('/web/guest-requests'));
      await openFollowing(desk, `${api.url}/desk`);
      await looked;
      await waitForContent(desk);
      await untilTitle(desk, 'Front desk · voucherd');
      const requests: string[] = [];
      desk.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/web/')) requests.push(pathname);
      });
      const show = (state: 'hidden' | 'visible'): Promise<void> =>
        desk.evaluate(
          `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' }); document.dispatchEvent(new Event('visibilitychange'))`,
        );
      await show('hidden');
      // Two guests, which nobody tells a hidden tab of.
      for (const name of ['Zoë', 'Jan'])
        expect((await makeGuest(api, 'hidden').order({ name })).status).toBe(200);
      expect(await desk.title()).toBe('Front desk · voucherd');
      expect(requests).toEqual([]);
      await desk.clock.runFor(61_000);
      await untilTitle(desk, '(2) Front desk · voucherd');
      // Nothing else is asked for.
      expect(new Set(requests)).toEqual(new Set(['/web/guest-requests']));
      for (const { id } of await waiting(api.admin)) await decide(api.admin, id, false);
      await show('visible');
      await untilTitle(desk, 'Front desk · voucherd');
    });
  },
  { mayComplain: /status of (4\d\d|503)|net::ERR_FAILED/ },
);

const longSite = 'Gästehaus & Wellnesshotel „Zum Goldenen Löwen“ am See, Tagungszentrum '
  .repeat(4)
  .slice(0, 255)
  .trim();
const longName = 'Konferenzteilnehmerinnen-und-Donaudampfschifffahrtsgesellschaft';
const ownText = 'Bitte 1234567890 im Wintergarten des Haupthauses abholen. '.repeat(8).trim();

/** What a guest would have to scroll to the side for, or would not see at all. */
const overflowOf = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const seen = [...document.querySelectorAll('main *, header *')].filter((element) => {
      const { right, left, width } = element.getBoundingClientRect();
      return width > 0 && element.checkVisibility() && (right > innerWidth + 1 || left < -1);
    });
    const cut = [...document.querySelectorAll('button .mantine-Button-label')].filter(
      (label) => label.scrollWidth > label.clientWidth + 1,
    );
    return {
      scroll: document.documentElement.scrollWidth - innerWidth,
      outside: seen.map((element) => element.outerHTML.slice(0, 100)),
      cut: cut.map((label) => label.textContent),
    };
  })()`);
const nothing = { scroll: 0, outside: [], cut: [] };

describeInBrowser('on a phone, with the longest texts,', (browser) => {
  const api = withAdmin({
    site: { name: longSite },
    env: { SMTP_URL: 'smtp://mail.example.invalid:587', MAIL_FROM: 'wifi@example.org' },
  });
  let paths: Readonly<Record<'kiosk' | 'guest page', string>>;

  beforeAll(async () => {
    const site = `/sites/${String(api.siteId)}`;
    const network = { ssid: 'W'.repeat(32), wifiKind: 'wpa', wifiPassword: 'W'.repeat(63) };
    expect((await api.admin.patch(site, { ...network, slipText: ownText })).status).toBe(200);
    const limits = { maxUses: 2_147_483_647, expireMinutes: 525_599, down: 888_888, up: 222_222 };
    const profileIds: number[] = [];
    for (const name of [longName, `${longName} 2`]) {
      const { body } = await api.admin.post('/profiles', { name, ...limits });
      profileIds.push((body as { id: number }).id);
    }
    const [profileId, ...moreProfileIds] = profileIds;
    const kiosk = {
      ...{ siteId: api.siteId, profileId, moreProfileIds, perHour: 100 },
      ...{ asksName: true, requiresName: true, sendsEmail: true },
    };
    const pathOf = async (values: object): Promise<string> => {
      const answer = await api.admin.post('/kiosks', { ...kiosk, ...values });
      expect(answer.status).toBe(201);
      return (answer.body as { path: string }).path;
    };
    paths = { kiosk: await pathOf({}), 'guest page': await pathOf({ slug: 'hotel' }) };
  });

  test.each(['kiosk', 'guest page'] as const)(
    'a %s has room for its start and its code in every language',
    async (kind) => {
      const { page } = await browser.open(api, { width: 390, language: 'en' });
      await page.goto(api.url + paths[kind]);
      const lookInEveryLanguage = async (shown: string): Promise<unknown[]> => {
        const found: unknown[] = [];
        for (const language of guestLanguages) {
          await page.getByRole('combobox').selectOption(language);
          await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
          await untilDrawn(page);
          found.push([shown, language, await overflowOf(page)]);
        }
        return found;
      };
      const fits = (shown: string) => guestLanguages.map((language) => [shown, language, nothing]);
      await page.locator('input[type=text], input:not([type])').first().fill(longName);
      // Both begin with the same form.
      if (kind === 'kiosk') expect(await lookInEveryLanguage('start')).toEqual(fits('start'));
      await page.getByRole('button', { name: longName }).first().click();
      await page.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ }).waitFor();
      expect(await lookInEveryLanguage('code')).toEqual(fits('code'));
    },
  );
});
