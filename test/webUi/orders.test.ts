import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { toWifiJoinText } from '../../src/sites/wifi.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { changeUser, openFollowing, untilValue } from '../support/pages.js';
import { readQrCode, withPdf } from '../support/pdf.js';
import { controllerOf } from '../support/serviceInternals.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

const wifiName = 'Gäste; "oben"';
const wifiPassword = 'so:mmer;\\"26';

/** What becomes of orders at the front desk: on paper, in several tabs, and while the controller is silent. */
describeInBrowser(
  'orders at the front desk',
  (browser) => {
    const api = withAdmin({ site: { name: 'Lobby' }, env: { CONTROLLER_DEADLINE_S: '10' } });
    let jonas: SignedIn;
    let annexe: number;
    let silent: number;
    let page: Page;
    let shared: Page;

    beforeAll(async () => {
      annexe = await api.addSite({ name: 'Annexe' });
      silent = await api.addSite({ name: 'Silent', fault: 'lost-answer' });
      const wifi = { ssid: wifiName, wifiKind: 'wpa', wifiPassword };
      await api.admin.patch(`/sites/${String(api.siteId)}`, wifi);
      await api.admin.post('/profiles', { name: 'Day guest', maxUses: 1, expireMinutes: 1440 });
      const siteIds = [api.siteId, annexe, silent];
      jonas = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds });
      await jonas.put('/account/language', { language: 'en' });
      ({ page: shared } = await browser.open(api, { language: 'en' }));
    });
    beforeEach(async () => {
      page = shared;
      await openDesk();
    });

    const openDesk = async (): Promise<void> => {
      await changeUser(page, api.url, jonas.cookie);
      await openFollowing(page, `${api.url}/desk`);
      await page.getByLabel('Site').selectOption('Lobby');
    };
    /** Goes on in a tab of its own, with another `fetch`. */
    const openWith = async (script: string): Promise<void> => {
      ({ page } = await browser.open(api, { language: 'en' }));
      await page.addInitScript(script);
      await openDesk();
    };
    const order = async (tab: Page, name: string): Promise<void> => {
      await tab.getByLabel('For whom?').fill(name);
      await tab.keyboard.press('Enter');
    };
    const result = (tab = page) => tab.getByRole('region', { name: 'Result' });
    const codeShown = async (tab = page): Promise<string> => {
      const code = result(tab).getByRole('heading');
      await code.getByText(/^\d{5}-\d{5}$/).waitFor();
      return code.innerText();
    };
    const madeFor = async (name: string, siteId = api.siteId): Promise<string[]> =>
      (await controllerVouchers(api, siteId))
        .filter((row) => String(row['name']).endsWith(name))
        .map(({ code }) => String(code));

    test.each([
      ['Lobby', () => toWifiJoinText({ ssid: wifiName, wifiKind: 'wpa', isWifiHidden: false }, wifiPassword)],
      ['Annexe', (code: string) => code.replace('-', '')],
    ])(
      'page and PDF of a slip for %s have the code, and a QR code that can be read',
      async (site, qrText) => {
        await page.getByLabel('Site').selectOption(site);
        await order(page, `Slip for ${site}`);
        const code = await codeShown();
        const { data, width, height } = PNG.sync.read(
          await result().getByRole('img', { name: 'QR code' }).screenshot(),
        );
        const scanned = readQrCode({ data: new Uint8ClampedArray(data), width, height });
        expect(scanned).toBe(qrText(code));
        const shown = await result().innerText();
        expect(shown.includes(`Password: ${wifiPassword}`)).toBe(site === 'Lobby');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          result().getByRole('button', { name: 'PDF' }).click(),
        ]);
        await withPdf(await readFile(await download.path()), async ([slip, ...others]) => {
          expect(others).toEqual([]);
          expect(slip?.texts).toContain(code);
          expect(await slip?.readQr()).toBe(qrText(code));
        });
      },
    );

    test('the back button leads back to the form, and orders nothing', async () => {
      await order(page, 'Went back');
      const code = await codeShown();
      await page.getByRole('link', { name: 'Find vouchers' }).click();
      await page.waitForURL('**/vouchers');
      await page.getByText(code).first().waitFor();
      await page.goBack();
      await page.getByRole('button', { name: code }).waitFor();
      await untilValue(page.getByLabel('For whom?'), '');
      await page.goForward();
      await page.waitForURL('**/vouchers');
      await page.getByText(code).first().waitFor();
      await page.goBack();
      await page.getByRole('button', { name: code }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: code }).waitFor();
      expect(await madeFor('Went back')).toEqual([code.replace('-', '')]);
    });

    test('a second tab, opened from the first while it orders, shows the same voucher', async () => {
      // The answer never reaches the first tab.
      await openWith(`
      const { fetch } = window;
      window.fetch = async (request) => {
        const answer = await fetch(request);
        return request.method === 'PUT' ? new Promise(() => {}) : answer;
      };`);
      await order(page, 'Two tabs');
      await until('the order', async () => (await jonas.get('/orders')).text.includes('Two tabs'));
      const [second] = await Promise.all([
        page.context().waitForEvent('page'),
        page.evaluate(`void window.open('/desk')`),
      ]);
      const code = await codeShown(second);
      await order(second, 'Next guest');
      await until('the next voucher', async () => (await codeShown(second)) !== code);
      expect(await madeFor('Two tabs')).toEqual([code.replace('-', '')]);
      expect(await madeFor('Next guest')).toHaveLength(1);
    });

    test('a controller that lets somebody wait is told, and the next guest is served meanwhile', async () => {
      await openWith(`
      const { fetch } = window;
      const sent = new Promise((resolve) => { window.send = resolve; });
      const answered = new Promise((resolve) => { window.letGo = resolve; });
      let isFirst = true;
      window.fetch = async (request) => {
        if (request.method !== 'PUT' || !isFirst) return fetch(request);
        isFirst = false;
        await sent;
        const answer = await fetch(request);
        await answered;
        return answer;
      };`);
      await order(page, 'Slow guest');
      // An order that the service does not know would be lost.
      await page.getByRole('status').getByText('The service has not confirmed the order yet').waitFor();
      const nextGuest = page.getByRole('button', { name: 'Next guest', exact: true });
      expect(await nextGuest.count()).toBe(0);
      await page.evaluate('send()');
      await page.getByRole('status').getByText('The controller has not answered yet').waitFor();
      await nextGuest.click();
      await untilValue(page.getByLabel('For whom?'), '');
      await order(page, 'Quick guest');
      const code = await codeShown();
      // The late answer does not take the place of what is shown.
      const followed = page.waitForResponse((response) => response.url().endsWith('/web/orders'));
      await page.evaluate('letGo()');
      await followed;
      await page.getByRole('button', { name: /Slow guest/ }).waitFor();
      expect(await codeShown()).toBe(code);
      for (const name of ['Slow guest', 'Quick guest']) expect(await madeFor(name)).toHaveLength(1);
    });

    test('an order of 500 whose answer is lost shows how far it is, among the latest orders, too, up to its end', async () => {
      await page.getByLabel('Site').selectOption('Silent');
      await page.getByLabel('How many').fill('500');
      await order(page, 'Conference');
      const progress = page.getByRole('progressbar', { name: '0 of 500' });
      await result().getByRole('heading', { name: /500/ }).waitFor();
      await progress.waitFor();
      await page.keyboard.press('n');
      const orders = page.getByRole('region', { name: 'My latest orders' });
      await orders.getByRole('progressbar', { name: '0 of 500' }).waitFor();
      await orders.getByRole('button', { name: 'Show the order of 500: Conference' }).click();
      await progress.waitFor();
      const ready = result().getByRole('heading', { name: '500 vouchers are ready' });
      await until('what was made to be found', async () => {
        await api.app.reconcile();
        return ready.isVisible();
      });
      expect(await madeFor('Conference', silent)).toHaveLength(500);
      await page.keyboard.press('n');
      await orders.getByText('Ready').waitFor();
      await orders.getByRole('progressbar').first().waitFor({ state: 'detached' });
    });

    test('an order of which nothing comes in the end says so, and fills in the form again', async () => {
      await page.getByLabel('Site').selectOption('Silent');
      await order(page, 'Nobody');
      // For one voucher there is nothing to measure, but somebody it is for.
      await result().getByRole('heading', { name: 'The voucher for Nobody is being created' }).waitFor();
      await result().getByText('The order goes on').waitFor();
      expect(await result().getByRole('progressbar').count()).toBe(0);
      const { controllers, sites } = api.tables;
      await sites.change(silent, { active: false });
      await controllers.remove(await controllerOf(api, silent), Date.now(), { giveUp: true });
      await result().getByText('No voucher was created').waitFor();
      await result().getByText('Nobody · Silent').waitFor();
      await result().getByRole('button', { name: 'Order again' }).click();
      await untilValue(page.getByLabel('For whom?'), 'Nobody');
      const orders = page.getByRole('region', { name: 'My latest orders' });
      await orders.getByText('Failed').waitFor();
    });
  },
  { mayComplain: /status of 404/ },
);
