import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startReceiptPrinter, type ReceiptPrinterSimulator } from '../../simulators/receiptPrinter.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { changeUser, openAgain, waitForContent } from '../support/pages.js';
import { until } from '../support/until.js';

/** Counts how often the browser's print dialog would open, instead of opening it. */
const countPrints = `window.prints = 0; window.print = () => { window.prints += 1; };`;

describeInBrowser(
  'a site that prints at once',
  (browser) => {
    let printer: ReceiptPrinterSimulator;
    let page: Page;
    const api = withAdmin({ site: { name: 'Lobby' } });
    beforeAll(async () => {
      printer = await startReceiptPrinter();
      await api.admin.put('/account/language', { language: 'en' });
      await api.admin.post('/profiles', { name: 'Day guest', maxUses: 1, expireMinutes: 1440 });
      ({ page } = await browser.open(api, { language: 'en' }));
      await page.addInitScript(countPrints);
    });
    afterAll(() => printer.stop());

    const setPrinting = async (values: object): Promise<void> => {
      expect((await api.admin.patch(`/sites/${String(api.siteId)}`, values)).status).toBe(200);
      await changeUser(page, api.url, api.admin.cookie);
      await page.goto(`${api.url}/desk`);
      await waitForContent(page);
    };
    const order = async (name: string): Promise<string> => {
      await page.getByLabel('For whom?').fill(name);
      await page.keyboard.press('Enter');
      const code = page.getByRole('region', { name: 'Result' }).getByRole('heading');
      await code.getByText(/^\d{5}-\d{5}$/).waitFor();
      return code.innerText();
    };
    const prints = (): Promise<number> => page.evaluate<number>('window.prints');

    test('opens the print dialog once for each voucher that was created here, and not for one that is looked at', async () => {
      await setPrinting({ printAtOnce: 'browser' });
      await order('Room 1');
      await until('the dialog', async () => (await prints()) === 1);
      await order('Room 2');
      await until('the dialog for the next one', async () => (await prints()) === 2);
      await openAgain(page);
      await waitForContent(page);
      await page.getByText('Room 2').first().click();
      await page.getByRole('region', { name: 'Result' }).getByText('Room 2 · Lobby').waitFor();
      expect(await prints()).toBe(0);
    });

    test('sends the receipt to the printer of the site, and says so', async () => {
      const { port } = printer;
      const settings = { name: 'Counter', host: '127.0.0.1', port, paper: '80mm', siteIds: null };
      const { id } = (await api.admin.post('/printers', settings)).body as { id: number };
      await setPrinting({ printAtOnce: 'printer', printerId: id });
      const code = await order('Room 3');
      await page.getByText('Counter').last().waitFor();
      await until('the receipt', () => printer.receipts().length === 1);
      expect(JSON.stringify(printer.receipts()[0])).toContain(code);
      expect(await prints()).toBe(0);
    });

    test('sends an order of more than 50 in parts, and names a printer that fails', async () => {
      const { port } = printer;
      const settings = { name: 'Hall', host: '127.0.0.1', port, paper: '80mm', siteIds: null };
      const { id } = (await api.admin.post('/printers', settings)).body as { id: number };
      await setPrinting({ printAtOnce: 'printer', printerId: id });
      const before = printer.receipts().length;
      const orderMany = async (name: string): Promise<void> => {
        await page.getByLabel('For whom?').fill(name);
        await page.getByLabel('How many').fill('51');
        await page.keyboard.press('Enter');
      };
      await orderMany('Group');
      await until('the receipts', () => printer.receipts().length === before + 51);
      const codes = printer
        .receipts()
        .slice(before)
        .map((receipt) => JSON.stringify(receipt).match(/\d{5}-\d{5}/)?.[0]);
      expect(new Set(codes).size).toBe(51);
      await page.getByText('51 receipts are being printed on Hall.').waitFor();
      const unreachable = { ...settings, port: 1 };
      expect((await api.admin.put(`/printers/${String(id)}`, unreachable)).status).toBe(200);
      await orderMany('Second group');
      await page.getByRole('alert').getByText('Hall', { exact: true }).waitFor();
    });

    test('prints nothing where it is off', async () => {
      const before = printer.receipts().length;
      await setPrinting({ printAtOnce: 'off', printerId: null });
      await order('Room 4');
      // By hand it still does, so what was printed at once would have come before.
      await page.keyboard.press('p');
      await until('the dialog', async () => (await prints()) > 0);
      expect([await prints(), printer.receipts().length]).toEqual([1, before]);
    });
  },
  // The printer that can't be reached.
  { mayComplain: /status of 409/ },
);
