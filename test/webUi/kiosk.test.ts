import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startReceiptPrinter, type ReceiptPrinterSimulator } from '../../simulators/receiptPrinter.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, type OpenedPage } from '../support/pages.js';
import { redPng } from '../support/pictures.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';

/** What administrators set up for the front desk, and what guests see of it on a tablet. */
describeInBrowser(
  'kiosks and receipt printers',
  (browser) => {
    // A mail server that is never asked: with one, vouchers can be sent.
    const api = withAdmin({
      site: {},
      env: { SMTP_URL: 'smtp://mail.example.invalid:587', MAIL_FROM: 'wifi@example.org' },
    });
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
        await page.getByText('Sent to Counter, but not confirmed').waitFor();
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
        await page.getByText('Sent to Counter, but not confirmed').first().waitFor();
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
        await dialog.getByLabel('Name', { exact: true }).fill('Lobby');
        // A picture that nobody has chosen is not a plain background.
        await dialog.getByLabel('Background').selectOption('picture');
        await dialog.getByRole('button', { name: 'Add a kiosk' }).click();
        await dialog.getByText('Please choose a picture, or another background.').waitFor();
        await dialog.getByLabel('Background').selectOption('none');
        await dialog.getByRole('button', { name: 'Add a kiosk' }).click();
        await dialog.getByRole('img', { name: 'QR code with the link' }).waitFor();
        const link = await dialog.locator('.code').innerText();
        await dialog.getByRole('button', { name: 'It is open on the tablet' }).click();
        const administration = opened;
        await open();
        await page.goto(link);
        await takeButton().waitFor();
        const tablet = opened;
        await administration.page.getByRole('button', { name: 'Actions for Lobby' }).click();
        await administration.page.getByRole('menuitem', { name: 'Withdraw' }).click();
        await administration.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
        await administration.page.getByText('The kiosk “Lobby” is withdrawn.').waitFor();
        const before = (await controllerVouchers(api, api.siteId)).length;
        await until('the link to be dead', async () => {
          await tablet.page.reload();
          const [isDead, isAlive] = [page.getByText('This tablet is no longer in use'), takeButton()];
          await isDead.or(isAlive).waitFor();
          return isDead.isVisible();
        });
        await page.getByText('Please ask at the front desk.').waitFor();
        expect(await controllerVouchers(api, api.siteId)).toHaveLength(before);
      });
    });

    test('a kiosk is changed, and an open tablet follows: tiles, a required name, e-mail, print, and a picture', async () => {
      await api.admin.post('/profiles', { name: 'Week', maxUses: 2, expireMinutes: 10_080 });
      const counter = { name: 'Bar', host: '127.0.0.1', port: printer?.port, paper: '80mm', siteIds: null };
      await api.admin.post('/printers', counter);
      const { path, id } = await addKiosk({ name: 'Terrace' });
      await open();
      await page.clock.install();
      await page.goto(api.url + path);
      await takeButton().waitFor();
      const tablet = opened;

      await open(api.admin.cookie);
      await page.goto(`${api.url}/kiosks?dialog=change&id=${String(id)}`);
      const dialog = page.getByRole('dialog', { name: 'Change Terrace' });
      await dialog.getByLabel('Profiles').click();
      await page.getByRole('option', { name: 'Week' }).click();
      await page.keyboard.press('Tab');
      await dialog.getByLabel('Name of the guest').selectOption('required');
      await dialog.getByRole('switch', { name: 'Offer the code by e-mail' }).click();
      await dialog.getByLabel('Print').selectOption('Bar');
      await dialog.getByLabel('Back to the start after').fill('20');
      await dialog.getByLabel('Background').selectOption('picture');
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer: redPng(2400, 300) });
      await dialog.getByRole('img', { name: 'Chosen picture' }).waitFor();
      expect(await findAccessibilityIssues(page, '[role=dialog]')).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Terrace is saved.').waitFor();

      ({ page } = tablet);
      await page.clock.runFor(61_000);
      const tile = page.getByRole('button', { name: /^Week/ });
      await tile.waitFor();
      expect(await tile.innerText()).toContain('7 days');
      await until('the picture', async () =>
        (
          await page.evaluate<string>("getComputedStyle(document.querySelector('main')).backgroundImage")
        ).startsWith('url("data:image/jpeg'),
      );
      expect(await findAccessibilityIssues(page)).toEqual([]);
      // Without a name the browser says what is missing, and nothing is ordered.
      const before = await api.tables.vouchers.count([api.siteId]);
      await tile.click();
      expect(await api.tables.vouchers.count([api.siteId])).toBe(before);
      await page.getByLabel('Your name').fill('Ann 🦊 אבג');
      await tile.dblclick();
      const code = await codeShown();
      expect((await controllerVouchers(api, api.siteId)).slice(before)).toMatchObject([
        { code, expire_minutes: 10_080, max_uses: 2 },
      ]);
      await page.getByText('This page returns to the start after 20 seconds.').waitFor();
      await page.getByLabel('Get the code by e-mail').fill('ann@example.org');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('On its way to ann@example.org.').waitFor();
      await page.getByRole('button', { name: 'Print' }).click();
      await page.getByText('The code is being printed.').waitFor();
      expect(await findAccessibilityIssues(page)).toEqual([]);
      await until('the start', async () => {
        await page.clock.runFor(21_000);
        return tile.isVisible();
      });
      expect(await page.getByText(code).count()).toBe(0);
    });

    test('the link is renewed in the pages, and a tablet loads itself again after an update', async () => {
      const { path, id } = await addKiosk({ name: 'Garden' });
      await open(api.admin.cookie);
      await page.goto(`${api.url}/kiosks?dialog=renew&id=${String(id)}`);
      const dialog = page.getByRole('dialog', { name: 'Renew the link of “Garden”?' });
      await dialog.getByRole('button', { name: 'Renew the link' }).click();
      const link = await dialog.locator('.code').innerText();
      await open();
      await page.goto(api.url + path);
      await page.getByText('This tablet is no longer in use').waitFor();
      await page.clock.install();
      await page.goto('about:blank');
      await page.goto(link);
      await takeButton().waitFor();
      await page.evaluate('window.isFirstLoad = true');
      // As a service of the next version answers.
      await page.route('**/web/kiosk', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), version: '99.0.0' } });
      });
      await page.clock.runFor(61_000);
      await until('the page to load again', async () => {
        const isFirst = await page.evaluate('window.isFirstLoad').catch(() => true);
        return isFirst === undefined;
      });
      await takeButton().waitFor();
    });

    describe('on a tablet without a session', () => {
      beforeEach(() => open());

      test('a guest takes one voucher, in the language of their choice, and the page returns to its start', async () => {
        const { path } = await addKiosk({ asksName: true });
        await page.clock.install();
        await page.goto(api.url + path);
        await page.getByLabel('Language').selectOption('fa');
        await page.getByRole('button', { name: 'دریافت کد دسترسی' }).waitFor();
        await page.locator('html[dir=rtl]').waitFor();
        await page.getByLabel('زبان').selectOption('de');
        await page.getByLabel('Sprache').waitFor();
        await page.locator('html[dir=ltr]').waitFor();
        await page.getByLabel('Ihr Name').fill('Zoë');
        await page.getByRole('button', { name: 'Zugangscode holen' }).dblclick();
        const code = await codeShown();
        const made = (await controllerVouchers(api, api.siteId)).filter((row) =>
          String(row['name']).endsWith('Zoë'),
        );
        expect(made).toMatchObject([{ code, expire_minutes: 1440 }]);
        await page.getByRole('img', { name: 'QR-Code, der mit dem WLAN Gäste verbindet' }).waitFor();
        // Again where the page was not yet waiting for the guest to go.
        await until('the start, in the language of the browser', async () => {
          await page.clock.runFor(61_000);
          return takeButton().isVisible();
        });
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
        await page.getByText('This does not work right now').waitFor();
        await page.context().setOffline(true);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('No connection').waitFor();
        await page.context().setOffline(false);
      });
    });
  },
  { mayComplain: /status of (4\d\d|503)|net::ERR_INTERNET_DISCONNECTED/ },
);
