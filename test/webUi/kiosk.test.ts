import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startReceiptPrinter, type ReceiptPrinterSimulator } from '../../simulators/receiptPrinter.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import type { OpenedPage } from '../support/pages.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';

/** What administrators set up for the front desk, and what guests see of it on a tablet. */
describeInBrowser(
  'kiosks and receipt printers',
  (browser) => {
    const api = withAdmin({ site: {} });
    let printer: ReceiptPrinterSimulator | undefined;
    let profileId: number;
    let opened: OpenedPage;
    let page: Page;

    beforeAll(async () => {
      printer = await startReceiptPrinter();
      await api.admin.put('/account/language', { language: 'en' });
      await api.admin.patch(`/sites/${String(api.siteId)}`, { ssid: 'Gäste' });
      const profile = await api.admin.post('/profiles', {
        name: 'Day guest',
        maxUses: 1,
        expireMinutes: 1440,
      });
      ({ id: profileId } = profile.body as { id: number });
    });
    afterAll(() => printer?.stop());

    /** A link for a tablet, as the page for administrators gets it. */
    const addKiosk = async (values: object = {}): Promise<{ path: string; id: number }> => {
      const kiosk = { siteId: api.siteId, profileId, perHour: 20, asksName: false, ...values };
      const { body } = await api.admin.post('/kiosks', kiosk);
      const created = body as { path: string; kiosk: { id: number } };
      return { path: created.path, id: created.kiosk.id };
    };
    const open = async (cookie = ''): Promise<void> => {
      opened = await browser.open(api, { cookie, language: 'en' });
      ({ page } = opened);
    };
    const takeButton = () => page.getByRole('button', { name: 'Get an access code' });
    const codeShown = async (): Promise<string> => {
      const code = page.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ });
      await code.waitFor();
      return (await code.innerText()).replace('-', '');
    };

    describe('for administrators', () => {
      beforeEach(() => open(api.admin.cookie));

      test('a receipt printer is added, tested, offered at the front desk, and removed', async () => {
        await page.goto(`${api.url}/printers`);
        await page.getByRole('button', { name: 'Add a printer' }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name', { exact: false }).first().fill('Counter');
        await dialog.getByLabel('Address').fill('127.0.0.1');
        await dialog.getByLabel('Port').fill(String(printer?.port));
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('button', { name: 'Test Counter' }).click();
        await page.getByText('Counter was sent a test receipt and is ready.').waitFor();
        printer?.behave('print without answers');
        await page.getByRole('button', { name: 'Test Counter' }).click();
        await page.getByText('Sent to Counter, not confirmed').waitFor();
        printer?.behave('no paper');
        await page.getByRole('button', { name: 'Test Counter' }).click();
        await page.getByText('The printer has no paper.').waitFor();
        printer?.behave('print');
        await page.getByRole('link', { name: 'Front desk' }).click();
        await page.getByLabel('For whom?').fill('Receipt');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Receipt: Counter' }).click();
        await page.getByText('The receipt is being printed on Counter.').waitFor();
        printer?.behave('print without answers');
        await page.getByRole('button', { name: 'Receipt: Counter' }).click();
        await page.getByText('Sent to Counter, not confirmed').first().waitFor();
        await page.getByRole('link', { name: 'Receipt printers' }).click();
        await page.getByRole('button', { name: 'Actions for Counter' }).click();
        await page.getByRole('menuitem', { name: 'Remove' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
        await page.getByText('No receipt printers yet').waitFor();
      });

      test('the link of a kiosk is shown once, works on a tablet, and is dead once it is withdrawn', async () => {
        await page.goto(`${api.url}/kiosks`);
        await page.getByRole('button', { name: 'Add a kiosk' }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Add a kiosk' }).click();
        await dialog.getByRole('img', { name: 'QR code with the link' }).waitFor();
        const link = await dialog.locator('.code').innerText();
        await dialog.getByRole('button', { name: 'It is open on the tablet' }).click();
        const administration = opened;
        await open();
        await page.goto(link);
        await takeButton().waitFor();
        const tablet = opened;
        await administration.page.getByRole('button', { name: 'Withdraw the kiosk of Hauptgebäude' }).click();
        await administration.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
        await administration.page.getByText('No kiosks yet').waitFor();
        const before = (await controllerVouchers(api, api.siteId)).length;
        await until('the link to be dead', async () => {
          await tablet.page.reload();
          const [isDead, isAlive] = [page.getByText('This tablet is not in use any more'), takeButton()];
          await isDead.or(isAlive).waitFor();
          return isDead.isVisible();
        });
        await page.getByText('Please ask at the front desk.').waitFor();
        expect(await controllerVouchers(api, api.siteId)).toHaveLength(before);
      });
    });

    describe('on a tablet without a session', () => {
      beforeEach(() => open());

      test('a guest takes one voucher, in the language of their choice, and the page returns to its start', async () => {
        const { path } = await addKiosk({ asksName: true });
        await page.clock.install();
        await page.goto(api.url + path);
        await page.getByRole('button', { name: 'Deutsch' }).click();
        await page.getByLabel('Ihr Name').fill('Zoë');
        await page.getByRole('button', { name: 'Zugangscode holen' }).dblclick();
        const code = await codeShown();
        const made = (await controllerVouchers(api, api.siteId)).filter((row) =>
          String(row['name']).endsWith('Zoë'),
        );
        expect(made).toMatchObject([{ code, expire_minutes: 1440 }]);
        await page.getByRole('img', { name: 'QR-Code, der mit dem WLAN Gäste verbindet' }).waitFor();
        await page.clock.runFor(61_000);
        await takeButton().waitFor();
        expect(await page.getByLabel('Your name').inputValue()).toBe('');
        expect(await page.getByText(code).count()).toBe(0);
      });

      test('when as many as possible in an hour are taken, the guest is told what to do', async () => {
        const { path } = await addKiosk({ perHour: 1 });
        await page.goto(api.url + path);
        await takeButton().click();
        await codeShown();
        await page.getByRole('button', { name: 'Done' }).click();
        await takeButton().click();
        await page.getByText('All codes are taken for now').waitFor();
        await page.getByText('Please try again later, or ask at the front desk.').waitFor();
        await page.getByRole('button', { name: 'Back to the start' }).click();
        await takeButton().waitFor();
      });

      test('a controller that is down and a lost network are told in words for guests', async () => {
        const refusing = await api.addSite({ name: 'Annexe', fault: 'refuse' });
        const { path } = await addKiosk({ siteId: refusing });
        await page.goto(api.url + path);
        await takeButton().click();
        await page.getByText('That does not work right now').waitFor();
        await page.context().setOffline(true);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('No connection').waitFor();
        await page.context().setOffline(false);
      });
    });
  },
  { mayComplain: /status of (4\d\d|503)|net::ERR_INTERNET_DISCONNECTED/ },
);
