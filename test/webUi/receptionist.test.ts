import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { startReceiptPrinter } from '../../simulators/receiptPrinter.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { startMailServer, type MailServer } from '../support/mailServer.js';
import {
  changeUser,
  findAccessibilityIssues,
  goTo,
  openFollowing,
  untilDrawn,
  untilValue,
  waitForContent,
} from '../support/pages.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';
import { makeGuest, waiting } from '../webApi/guestsFixture.js';

/** What made people stumble who tried the pages as a receptionist would. */
describeInBrowser(
  'a day at the front desk',
  (browser) => {
    let mail: MailServer;
    const api = withAdmin({
      site: { name: 'Seehotel' },
      beforeStart: async () => {
        mail = await startMailServer();
        return { env: { SMTP_URL: mail.url, MAIL_FROM: 'wifi@example.org' } };
      },
      afterStop: () => mail.stop(),
    });
    let staff: SignedIn;
    let page: Page;
    /** Of the staff, for all tests. */
    let shared: Page;
    let profileId = 0;
    beforeAll(async () => {
      for (const [name, expireMinutes] of [
        ['Tag', 1440],
        ['Woche', 10_080],
      ] as const) {
        const added = await api.admin.post('/profiles', { name, maxUses: 2, expireMinutes });
        profileId = (added.body as { id: number }).id;
      }
      const values = { siteId: api.siteId, profileId, perHour: 100, asksName: true, perDevice: 50 };
      const guestPage = { ...values, slug: 'see', needsApproval: true };
      expect((await api.admin.post('/kiosks', guestPage)).status).toBe(201);
      const otherSite = await api.addSite({ name: 'Strandhaus' });
      const siteIds = [api.siteId, otherSite];
      staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds });
      ({ page: shared } = await browser.open(api));
    });

    const open = async (path: string, width = 1440): Promise<void> => {
      page = shared;
      await page.setViewportSize({ width, height: 900 });
      await changeUser(page, api.url, staff.cookie);
      await openFollowing(page, api.url + path);
      await waitForContent(page);
    };
    const order = async (values: object): Promise<number> => {
      const base = { siteId: api.siteId, name: '', count: 1, limits: null, profileId: null };
      const { body } = await staff.put(`/orders/${randomUUID()}`, { ...base, ...values });
      return (body as WebSchema<'Order'>).vouchers[0]!.id;
    };

    test('a guest whose voucher is over gets the same again by one click, and nothing is ordered before', async () => {
      const weekly = await order({ name: 'Zimmer 12', profileId });
      const limits = { maxUses: 3, expireMinutes: 120, down: 0, up: 0, quotaMb: 500 };
      const own = await order({ name: '007', limits });
      const over = { voucherIds: [weekly, own], orderId: null };
      expect((await staff.post('/vouchers/revocations', over)).status).toBe(200);
      const before = (await controllerVouchers(api, api.siteId)).length;

      await open('/vouchers');
      await page.getByRole('link', { name: 'Neuer Voucher für Zimmer 12' }).click();
      const name = page.getByLabel(/^Für wen\?/);
      await page.getByRole('radio', { name: /Woche/, checked: true }).waitFor();
      await untilValue(name, 'Zimmer 12');
      await untilValue(page.getByLabel('Standort'), String(api.siteId));
      await page.waitForURL(`${api.url}/desk`);

      // From its details: values of one's own, too, and a name that looks like a number.
      await page.goto(`${api.url}/vouchers?voucher=${String(own)}`);
      await page.getByRole('dialog').getByRole('link', { name: 'Neuer Voucher für diesen Gast' }).click();
      await page.getByRole('radio', { name: /Eigene Werte/, checked: true }).waitFor();
      await untilValue(name, '007');
      await untilValue(page.getByLabel(/^Anmeldungen/), '3');
      expect(await controllerVouchers(api, api.siteId)).toHaveLength(before);
      await name.press('Enter');
      await page.getByText('007 · Seehotel').waitFor();
      expect(await controllerVouchers(api, api.siteId)).toHaveLength(before + 1);
    });

    test('a heading above a pasted list gets no voucher, unless somebody says that it is a name', async () => {
      await open('/desk');
      await page.getByLabel('Standort').selectOption(String(api.siteId));
      await page.getByRole('button', { name: 'Liste von Namen' }).click();
      const list = page.getByLabel('Namen, einer je Zeile');
      // What is pasted now lands in it.
      await page.locator('textarea:focus').waitFor();
      await list.fill('Name;Firma\nAnna Berger;Acme\nBen Öz;Acme');
      const note = page.getByText(
        'Die erste Zeile „Name;Firma“ ist eine Überschrift und bekommt keinen Voucher.',
      );
      await note.waitFor();
      await page.getByText('2 Voucher, der erste für „Anna Berger Acme“').waitFor();
      // The button counts before a profile is chosen.
      await page.getByRole('button', { name: '2 Voucher erstellen' }).waitFor();
      await page.getByRole('radio', { name: /^Tag/ }).check();
      expect(await findAccessibilityIssues(page, 'form')).toEqual([]);
      await page.getByRole('button', { name: 'Doch ein Name' }).click();
      await page.getByRole('button', { name: '3 Voucher erstellen' }).waitFor();
      await list.press('End');
      await list.fill('Name;Firma\nAnna Berger;Acme\nBen Öz;Acme\nCleo;Acme');
      await page.getByRole('button', { name: '4 Voucher erstellen' }).waitFor();
      await list.fill('Gast\nAnna Berger\nBen Öz');
      await page.getByRole('button', { name: '2 Voucher erstellen' }).click();
      await page.getByText('2 Voucher sind fertig').first().waitFor();
      const { vouchers } = (await staff.get('/vouchers?text=Gast')).body as WebSchema<'VoucherPage'>;
      expect(vouchers).toEqual([]);
    });

    test('guests who wait are counted in the navigation of every page, also on a phone', async () => {
      await open('/vouchers');
      const [wide, guest] = [page, makeGuest(api, 'see')];
      await guest.order({ name: 'Zoë' });
      await wide.getByRole('link', { name: 'Empfang Ein Gast wartet' }).waitFor();
      await guest.order({ name: 'Jan' });
      await wide.getByRole('link', { name: 'Empfang 2 Gäste warten' }).waitFor();
      expect(await findAccessibilityIssues(wide, 'nav')).toEqual([]);
      ({ page } = await browser.open(api, { cookie: staff.cookie, width: 390 }));
      await openFollowing(page, `${api.url}/reports`);
      await waitForContent(page);
      await page.getByRole('button', { name: 'Menü, 2 Gäste warten' }).click();
      await page.getByRole('link', { name: 'Empfang 2 Gäste warten' }).click();
      for (const { name } of await waiting(staff))
        await page.getByRole('button', { name: `Ablehnen: ${name}` }).click();
      await wide.getByRole('link', { name: 'Empfang', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Menü', exact: true }).waitFor();
    });

    test('an e-mail that the mail server refuses is told at the desk, where the guest still stands', async () => {
      mail.answer({ code: 550, text: '5.1.1 no such user here' });
      await order({ name: 'Zimmer 20', profileId });
      await open('/desk');
      await page
        .getByRole('button', { name: /Zimmer 20/ })
        .first()
        .click();
      await page.getByRole('region', { name: 'Ergebnis' }).getByRole('button', { name: 'E-Mail' }).click();
      await page.getByLabel('E-Mail-Adresse des Gastes').fill('gast@example.org');
      await page.keyboard.press('Enter');
      await page.getByText(/An gast@example\.org wurde nichts zugestellt: .*no such user here/).waitFor();
      mail.answer(null);
    });

    test('the rows of orders and of vouchers stand below their heads, and the report of a day names one day', async () => {
      const orderId = randomUUID();
      await staff.put(`/orders/${orderId}`, {
        ...{ siteId: api.siteId, name: 'Bus', count: 3, limits: null, profileId },
      });
      const ofOrder = await staff.get(`/vouchers?orderId=${orderId.toUpperCase()}`);
      expect((ofOrder.body as WebSchema<'VoucherPage'>).vouchers).toHaveLength(3);
      await order({ name: 'Zimmer 21', profileId });
      await open('/vouchers', 1280);
      await page.getByText('3 Voucher', { exact: true }).waitFor();
      const columns = `['voucher-row-state', 'voucher-row-more', 'voucher-row-time'].map((name) =>
        new Set([...document.querySelectorAll('main .' + name)].map((cell) =>
          Math.round(cell.getBoundingClientRect().left))).size)`;
      expect(await page.evaluate(columns)).toEqual([1, 1, 1]);
      const cut = `[...document.querySelectorAll('main .voucher-row-order, main .voucher-row-more > span')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`;
      expect(await page.evaluate(cut)).toEqual([]);
      await page.getByLabel('Zustand').selectOption('revoked');
      await page.getByRole('button', { name: 'Filter zurücksetzen' }).click();
      await page.locator('input[type=search]:focus').waitFor();
      await goTo(page, `${api.url}/reports`);
      await page.getByRole('button', { name: 'Heute' }).click();
      await page.getByText(/^Voucher, die am \S+ erstellt wurden\./).waitFor();
      await page.locator('main tbody tr').first().waitFor();
      const display = `getComputedStyle(document.querySelector('main tbody tr')).display`;
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(display)).toBe('table-row');
      }
      await page.getByLabel('Von', { exact: true }).fill('2126-01-01');
      await page.getByText('Der erste Tag liegt nach dem letzten.').waitFor();
      await page.getByRole('button', { name: 'Noch einmal versuchen' }).waitFor({ state: 'detached' });
    });

    test('a viewer, who decides nothing, is not asked for guests who wait', async () => {
      const viewer = await signInNew(api, api.admin, { name: 'Eva', role: 'viewer', siteIds: [api.siteId] });
      await changeUser(shared, api.url, viewer.cookie);
      const asked: string[] = [];
      shared.on('request', (request) => asked.push(request.url()));
      await shared.goto(`${api.url}/vouchers`);
      await waitForContent(shared);
      expect(asked.filter((url) => url.includes('guest-requests'))).toEqual([]);
    });

    test('dates and states are never cut, however narrow the fields beside them', async () => {
      await open('/vouchers', 1280);
      for (const width of [1200, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await untilDrawn(page);
        for (const label of ['Ab', 'Bis']) {
          const field = page.getByLabel(label, { exact: true });
          await field.fill('2026-11-14');
          // A date and its button, as wide as a field that may be as wide as it wants.
          const missing = `(() => {
          const field = document.activeElement;
          const free = field.cloneNode();
          free.style.cssText = 'position:absolute;width:auto;min-width:0';
          field.parentElement.append(free);
          const wanted = free.offsetWidth;
          free.remove();
          return wanted - field.offsetWidth;
        })()`;
          await field.focus();
          expect(await page.evaluate<number>(missing)).toBeLessThanOrEqual(0);
          await field.fill('');
        }
      }
    });

    test.each(['/desk', '/vouchers'])('when a voucher was created is read whole at %s', async (path) => {
      const id = await order({ name: 'Kamer 7', profileId });
      await api.database
        .write('vouchers')
        .where({ id })
        .update({ created_at: Date.now() - 23 * 60_000 });
      await staff.put('/account/language', { language: 'nl' });
      try {
        await open(path);
        const time = page.locator('.voucher-row-time', { hasText: '23 minuten geleden' }).first();
        await time.waitFor();
        for (const width of [1200, 1280, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await untilDrawn(page);
          const missing = `[...document.querySelectorAll('.voucher-row-time')].map((time) => time.scrollWidth - time.clientWidth)`;
          expect(Math.max(...(await page.evaluate<number[]>(missing)))).toBe(0);
        }
      } finally {
        await staff.put('/account/language', { language: 'de' });
      }
    });

    test('what went wrong stands above the form, in sight, and the form is free again', async () => {
      await open('/desk', 1280);
      await page.setViewportSize({ width: 1280, height: 640 });
      await page.getByLabel('Standort').selectOption(String(api.siteId));
      await page.getByRole('radio', { name: /^Tag/ }).check();
      await page.getByLabel(/^Für wen\?/).fill('Zimmer 7');
      // Of orders alone: without a network, what the page loads ahead would fail, too.
      const orders = `${api.url}/web/orders/*`;
      await page.route(orders, (route) => route.abort('internetdisconnected'));
      // The button lies at the end of the form.
      await page.getByRole('button', { name: 'Voucher erstellen' }).click();
      const message = page
        .locator('form [role=alert]')
        .filter({ hasText: 'Die Verbindung ist unterbrochen' });
      await message.waitFor();
      const isSeen = `(() => {
        const { top, bottom } = document.querySelector('form [role=alert]').getBoundingClientRect();
        return top >= 60 && bottom <= innerHeight;
      })()`;
      await until('the message is in sight', () => page.evaluate<boolean>(isSeen));
      expect(await findAccessibilityIssues(page, 'form')).toEqual([]);
      await page.unroute(orders);
      await message.waitFor({ state: 'detached' });
    });

    test('a phone of 320 px shows a new code at once, and states and names of the list whole', async () => {
      await open('/desk', 320);
      await page.setViewportSize({ width: 320, height: 640 });
      await page.getByLabel('Standort').selectOption(String(api.siteId));
      await page.getByRole('radio', { name: /^Tag/ }).check();
      await page.getByLabel(/^Für wen\?/).fill('Familie Feuerstein-Geröllheimer aus Steintal');
      await page.keyboard.press('Enter');
      const result = page.getByRole('region', { name: 'Ergebnis' });
      const code = result.getByText(/^\d{5}-\d{5}$/).first();
      await code.waitFor();
      await until('the code is in sight', async () => {
        const box = await code.boundingBox();
        return box !== null && box.y >= 60 && box.y + box.height <= 640;
      });
      await page.goto(`${api.url}/vouchers`);
      await page.getByText('Familie Feuerstein-Geröllheimer aus Steintal').waitFor();
      // Higher than two lines, or over its neighbour.
      const wrong = `[...document.querySelectorAll('main .voucher-row-main')].filter((row) => {
        const [name, more] = ['name', 'more'].map((part) =>
          row.querySelector('.voucher-row-' + part).getBoundingClientRect());
        return name.bottom > more.top + 1 || row.querySelector('.voucher-row-state').offsetHeight > 56;
      }).map((row) => row.textContent)`;
      expect(await page.evaluate(wrong)).toEqual([]);
    });

    test('a dialog gives the keys back to what opened it, also to the button of a menu', async () => {
      await order({ name: 'Zimmer 30', profileId });
      await open('/vouchers');
      const row = page.getByRole('button', { name: /Zimmer 30/ });
      await row.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Zimmer 30 · Seehotel').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.voucher-row-main:focus', { hasText: 'Zimmer 30' }).waitFor();
      await page.goto(`${api.url}/desk`);
      await row.first().click();
      const result = page.getByRole('region', { name: 'Ergebnis' });
      await result.getByRole('button', { name: 'Sperren' }).click();
      await dialog.getByText('Das lässt sich nicht rückgängig machen').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('button:focus', { hasText: 'Sperren' }).waitFor();
      // With a printer, the e-mail is in the menu.
      const printer = { name: 'Bar', host: '127.0.0.1', port: 9100, paper: '80mm', siteIds: null };
      const { body } = await api.admin.post('/printers', printer);
      await page.reload();
      await row.first().click();
      await result.getByRole('button', { name: 'Weitere Aktionen' }).click();
      await page.getByRole('menuitem', { name: 'E-Mail' }).click();
      await page.getByLabel('E-Mail-Adresse des Gastes').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('button[aria-label="Weitere Aktionen"]:focus').waitFor();
      await api.admin.delete(`/printers/${String((body as { id: number }).id)}`);
    });

    test('a button for the receipts of many says how many it prints, and so does the message', async () => {
      const printer = await startReceiptPrinter();
      try {
        const added = { name: 'Theke', host: '127.0.0.1', port: printer.port, paper: '80mm', siteIds: null };
        const { body } = await api.admin.post('/printers', added);
        await open('/desk');
        await page.getByLabel('Standort').selectOption(String(api.siteId));
        await page.getByRole('radio', { name: /^Tag/ }).check();
        await page.getByLabel(/^Anzahl/).fill('3');
        await page.getByRole('button', { name: '3 Voucher erstellen' }).click();
        await page.getByRole('button', { name: '3 Bons: Theke' }).click();
        await page.getByText('3 Bons werden auf Theke gedruckt.').waitFor();
        expect(printer.receipts()).toHaveLength(3);
        // What saves their slips is in sight on a phone, too.
        await page.setViewportSize({ width: 390, height: 700 });
        await page.getByRole('button', { name: 'Zettel als PDF' }).click();
        const save = page.getByRole('button', { name: 'PDF speichern' });
        await until('the button is in sight', async () => {
          const box = await save.boundingBox();
          return box !== null && box.y + box.height <= 700;
        });
        expect(await findAccessibilityIssues(page, '[role=dialog]')).toEqual([]);
        await api.admin.delete(`/printers/${String((body as { id: number }).id)}`);
      } finally {
        await printer.stop();
      }
    });
  },
  { mayComplain: /status of 40[14]|ERR_INTERNET_DISCONNECTED/ },
);
