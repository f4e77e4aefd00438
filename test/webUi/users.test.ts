import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { untilValue, waitForContent } from '../support/pages.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

describeInBrowser(
  'users',
  (browser) => {
    const api = withAdmin();
    let viewer: SignedIn;
    let page: Page;

    const open = async ({ cookie }: SignedIn, path: string): Promise<void> => {
      ({ page } = await browser.open(api, { cookie, language: 'de' }));
      await page.goto(api.url + path);
      await waitForContent(page);
    };

    beforeAll(async () => {
      const place = await addSite(api.tables, 'Hauptgebäude');
      const voucher = someVoucher({ code: '1234567890', name: 'Zimmer 204' });
      await api.tables.vouchers.record(someRecord(place, { voucher }));
      viewer = await signInNew(api, api.admin, {
        name: 'Vera Lang',
        role: 'viewer',
        siteIds: [place.siteId],
      });
    });

    test('an administrator changes name, e-mail address and role of a user', async () => {
      await open(api.admin, '/users');
      // An only site is named.
      await page
        .getByRole('row', { name: /Vera Lang/ })
        .getByRole('cell', { name: 'Hauptgebäude' })
        .waitFor();
      expect(await findIssuesInEveryLook(page, 'users')).toEqual([]);
      await page.getByRole('button', { name: 'Aktionen für Vera Lang' }).click();
      await page.getByRole('menuitem', { name: 'Ändern' }).click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
      await untilValue(name, 'Vera Lang');
      await dialog.getByRole('radio', { name: 'Lesezugriff', checked: true }).waitFor();
      expect(await findIssuesInEveryLook(page, 'change-user')).toEqual([]);
      await name.fill('Anna Berger');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.getByRole('alert').waitFor();
      await name.fill('Vera Kurz');
      await dialog.getByRole('alert').waitFor({ state: 'detached' });
      await dialog.getByLabel('E-Mail-Adresse').fill('vera@example.org');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Vera Kurz ist geändert.').waitFor();
      // The focus is where the dialog was opened.
      await page
        .getByRole('button', { name: 'Aktionen für Vera Kurz' })
        .and(page.locator(':focus'))
        .waitFor();
      await page.getByText('vera@example.org').waitFor();
    });

    test('an administrator changes the own name in the account, others read theirs', async () => {
      await open(api.admin, '/account');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Anna Berger-Kurz');
      await page.getByRole('button', { name: 'Speichern' }).click();
      await page.getByRole('button', { name: 'Benutzermenü von Anna Berger-Kurz' }).waitFor();
      expect(await findIssuesInEveryLook(page, 'account-admin')).toEqual([]);
      await open(viewer, '/account');
      await page.getByText('Beides ändert ein Administrator.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Name', exact: true }).count()).toBe(0);
      expect(await findIssuesInEveryLook(page, 'account-viewer')).toEqual([]);
    });

    test('a viewer reads overview and vouchers, and finds nothing to do with them', async () => {
      await open(viewer, '/');
      await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
      expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
        'Voucher finden',
        'Übersicht',
        'Berichte',
      ]);
      expect(await findIssuesInEveryLook(page, 'viewer-overview')).toEqual([]);
      await page.getByRole('link', { name: 'Voucher finden' }).click();
      await page.getByText('Zimmer 204').waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByText('als CSV').count()).toBe(0);
      expect(await findIssuesInEveryLook(page, 'viewer-vouchers')).toEqual([]);
      await page.getByText('Zimmer 204').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('•••••-•••••').waitFor();
      expect(await dialog.locator('[role=img]').count()).toBe(0);
      expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['']);
      expect(await findIssuesInEveryLook(page, 'viewer-voucher')).toEqual([]);
      await page.goto(`${api.url}/desk`);
      await page.getByText('Diese Seite gibt es nicht').waitFor();
    });
  },
  { mayComplain: /status of 409/ },
);
