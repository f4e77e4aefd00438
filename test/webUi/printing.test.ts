import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startReceiptPrinter } from '../../simulators/receiptPrinter.js';
import { type GuestLanguage, guestLanguages } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { forAllTests } from '../support/fixture.js';
import { changeUser, openAgain, waitForContent } from '../support/pages.js';
import { withPdf } from '../support/pdf.js';
import { until } from '../support/until.js';

/** Counts how often the browser's print dialog would open, instead of opening it. */
const countPrints = `window.prints = 0; window.print = () => { window.prints += 1; };`;

describeInBrowser(
  'a site that prints at once',
  (browser) => {
    let page: Page;
    const api = withAdmin({ site: { name: 'Lobby' } });
    const printer = forAllTests(startReceiptPrinter, 'stop');
    beforeAll(async () => {
      await api.admin.put('/account/language', { language: 'en' });
      await api.admin.post('/profiles', { name: 'Day guest', maxUses: 1, expireMinutes: 1440 });
      ({ page } = await browser.open(api, { language: 'en' }));
      await page.addInitScript(countPrints);
    });

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

    test('says before PDF files are made how many names lack letters on paper', async () => {
      await setPrinting({ printAtOnce: 'off', printerId: null });
      const text = /letters that PDF files and receipts can’t show/;
      const dialog = page.getByRole('dialog');
      const orderTwo = async (name: string): Promise<void> => {
        await page.getByLabel('For whom?').fill(name);
        await page.getByLabel('How many').fill('2');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Slips as PDF' }).click();
        await dialog.getByText('Language', { exact: false }).first().waitFor();
      };
      await order('Łukasz Юлия');
      await orderTwo('山田 太郎');
      await dialog.getByText(/^2 names have letters/).waitFor();
      expect(await dialog.getByText(text).count()).toBe(1);
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

const mm = 72 / 25.4;

/** Width and height of the paper; a roll is as long as its slip. */
const papers = [
  ['58mm', 58, undefined],
  ['62mm', 62, undefined],
  ['80mm', 80, undefined],
  ['a6', 105, 148],
  ['a7', 74, 105],
  ['a4-sheet', 210, 297],
] as const;

/** Where a text that is too long shows first; the others are checked in two languages. */
const smallest: readonly string[] = ['58mm', 'a7'];

/** The lines that the code is on, and how far anything of the slip stands out at its side, in the layout of paper. */
const measure = (page: Page): Promise<{ readonly lines: number; readonly overflow: number }> =>
  page.evaluate(
    `(() => {
      const slip = document.querySelector('.printed-slip .slip-sheet');
      const code = slip.querySelector('.slip-sheet-code');
      const range = document.createRange();
      range.selectNodeContents(code);
      const boxes = [...slip.children].map((child) => child.getBoundingClientRect());
      const { left, right } = slip.getBoundingClientRect();
      return {
        lines: range.getClientRects().length,
        overflow: Math.max(slip.scrollWidth - slip.clientWidth, ...boxes.map((box) => Math.max(left - box.left, box.right - right))),
      };
    })()`,
  );

const squeeze = (text: string): string => text.replaceAll(/\s/g, '');

describeInBrowser('a slip that the browser prints', (browser) => {
  const api = withAdmin({ site: { name: 'Wellnesshotel „Zum Goldenen Löwen“ am See' } });
  let page: Page;

  const limits = { maxUses: 1200, expireMinutes: 4385, down: 20_000, up: 5000, quotaMb: 1500 };
  beforeAll(async () => {
    await api.admin.put('/account/language', { language: 'en' });
    const order = { siteId: api.siteId, name: 'Room 12', count: 1, limits };
    const { body } = await api.admin.put(`/orders/${crypto.randomUUID()}`, order);
    expect(body).toMatchObject({ made: 1 });
    ({ page } = await browser.open(api, { cookie: api.admin.cookie, language: 'en' }));
    await page.addInitScript(countPrints);
  });

  /** Shows the voucher at the desk of a site with this paper. */
  const showVoucher = async (slipPaper: string): Promise<void> => {
    const network = { ssid: 'Gäste-WLAN Löwe (5G)!', wifiKind: 'wpa', wifiPassword: 'Sommer;2026!(Loewe)' };
    const change = { ...network, slipPaper, slipText: 'Frühstück ab 7.' };
    expect((await api.admin.patch(`/sites/${String(api.siteId)}`, change)).status).toBe(200);
    await page.goto(`${api.url}/desk`);
    await page.getByText('Room 12').first().click();
    await page.locator('.printed-slip').waitFor({ state: 'attached' });
  };
  const show = async (language: GuestLanguage): Promise<void> => {
    await page.getByLabel('Language of the guest').selectOption(language);
    await page.locator(`.printed-slip[lang="${language}"]`).waitFor({ state: 'attached' });
  };
  const print = async (): Promise<Buffer> => {
    const before = await page.evaluate<number>('window.prints');
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await until('the dialog', async () => (await page.evaluate<number>('window.prints')) > before);
    return page.pdf({ preferCSSPageSize: true });
  };

  test.each(papers)('on %s is one page of its size, whole in its languages', async (paper, width, height) => {
    await showVoucher(paper);
    for (const language of smallest.includes(paper) ? guestLanguages : (['de', 'fa'] as const)) {
      await show(language);
      await page.emulateMedia({ media: 'print' });
      const { lines, overflow } = await measure(page);
      expect([language, lines, overflow <= 1]).toEqual([language, 1, true]);
      const printed = squeeze(await page.locator('.printed-slip').innerText());
      await page.emulateMedia({ media: null });
      const guestTexts = loadGuestTexts(language);
      for (const fact of [
        guestTexts.validity(limits.expireMinutes),
        guestTexts.uses(limits.maxUses),
        ...guestTexts.limits(limits)!.split('\n'),
      ])
        expect([language, printed]).toEqual([language, expect.stringContaining(squeeze(fact))]);
      // A roll is cut where the slip ends.
      if (language !== 'de' && height === undefined) continue;
      await withPdf(await print(), (pages) => {
        expect([language, pages.length]).toEqual([language, 1]);
        const [{ width: printedWidth, height: printedHeight, texts }] = pages as [(typeof pages)[0]];
        expect(Math.abs(printedWidth / mm - width)).toBeLessThan(1);
        if (height !== undefined) expect(Math.abs(printedHeight / mm - height)).toBeLessThan(1);
        const onPaper = squeeze(texts.join(''));
        expect(onPaper).toMatch(/\d{5}-\d{5}/);
        expect(onPaper).toContain('Sommer;2026!(Loewe)');
      });
    }
  });
});
