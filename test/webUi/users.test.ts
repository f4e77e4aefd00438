import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startOidcProvider } from '../../simulators/oidcProvider.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { forAllTests } from '../support/fixture.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { mailPart } from '../support/mailParts.js';
import { startMailServer } from '../support/mailServer.js';
import { changeUser, goTo, untilValue, waitForContent } from '../support/pages.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { until } from '../support/until.js';
import { type Browser as SignedIn, signInNew } from '../support/web.js';

describeInBrowser(
  'users',
  (browser) => {
    const api = withAdmin();
    let viewer: SignedIn;
    let page: Page;

    const open = async ({ cookie }: SignedIn, path: string): Promise<void> => {
      await changeUser(page, api.url, cookie);
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
      ({ page } = await browser.open(api));
    });

    test('an administrator changes name, e-mail address and role of a user', async () => {
      await open(api.admin, '/users');
      // An only site is named.
      await page
        .getByRole('row', { name: /Vera Lang/ })
        .getByRole('cell', { name: 'Hauptgebäude' })
        .waitFor();
      await page.getByRole('button', { name: 'Aktionen für Vera Lang' }).click();
      await page.getByRole('menuitem', { name: 'Ändern' }).click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
      await untilValue(name, 'Vera Lang');
      await dialog.getByRole('radio', { name: 'Lesezugriff', checked: true }).waitFor();
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
      await open(viewer, '/account');
      await page.getByText('Beides ändert ein Administrator.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Name', exact: true }).count()).toBe(0);
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
      await page.getByText('Zimmer 204').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('•••••-•••••').waitFor();
      expect(await dialog.locator('[role=img]').count()).toBe(0);
      expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['']);
      expect(await findIssuesInEveryLook(page, 'viewer-voucher')).toEqual([]);
      await goTo(page, `${api.url}/desk`);
      await page.getByText('Diese Seite gibt es nicht').waitFor();
    });
  },
  { mayComplain: /status of 409/ },
);

describeInBrowser(
  'single sign-on',
  (browser) => {
    const provider = forAllTests(startOidcProvider, 'stop');
    const api = withAdmin();

    test('is set up in the page, with a test before it is saved', async () => {
      const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      await page.goto(`${api.url}/users`);
      await waitForContent(page);
      await page.getByRole('button', { name: 'Einrichten' }).click();
      const dialog = page.getByRole('dialog');
      // The first field has the focus, and not the button that would close the dialog.
      const issuer = dialog.getByLabel('Adresse des Anbieters (Issuer)');
      await issuer.and(page.locator(':focus')).waitFor();
      await dialog.getByText('PUBLIC_URL ist nicht gesetzt').waitFor();
      await issuer.fill(provider.issuer);
      await dialog.getByLabel('Client-ID').fill(provider.clientId);
      await dialog.getByRole('textbox', { name: 'Client-Secret' }).fill('falsch');
      await dialog.getByRole('button', { name: 'Testen' }).click();
      await dialog.getByText('Der Anbieter lehnt Client-ID oder Client-Secret ab.').waitFor();
      await dialog.getByRole('textbox', { name: 'Client-Secret' }).fill(provider.clientSecret);
      await dialog.getByRole('button', { name: 'Testen' }).click();
      await dialog.getByText('Client-ID und Client-Secret stimmen.').waitFor();
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Eingerichtet', { exact: true }).waitFor();
      await page.close();
    });

    test('what another administrator saves meanwhile is told, and not replaced unasked', async () => {
      const saveTheirs = async (name: string): Promise<void> => {
        const { issuer, clientId, clientSecret } = provider;
        const answer = await api.admin.put('/identity-provider', { issuer, clientId, clientSecret, name });
        expect(answer.status).toBe(200);
      };
      await saveTheirs('Hotelkonto');
      const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      await page.goto(`${api.url}/users`);
      await waitForContent(page);
      await page.getByRole('button', { name: 'Ändern' }).click();
      const dialog = page.getByRole('dialog');
      const label = dialog.getByLabel('Beschriftung des Knopfs');
      await label.fill('Meins');
      await saveTheirs('Anderes');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      const keep = page.getByRole('button', { name: 'Weiter bearbeiten' });
      const notice = dialog.getByRole('alert').filter({ has: keep });
      await notice.waitFor();
      expect(await findIssuesInEveryLook(page, 'single-sign-on-changed')).toEqual([]);
      expect((await api.admin.get('/identity-provider')).body).toMatchObject({ name: 'Anderes' });
      expect(await dialog.getByText('Jemand anderes').count()).toBe(1);
      await keep.click();
      await notice.waitFor({ state: 'detached' });
      expect(await label.inputValue()).toBe('Meins');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await api.admin.get('/identity-provider')).body).toMatchObject({ name: 'Meins' });
    });
  },
  { mayComplain: /status of 409/ },
);

describeInBrowser(
  'passwords by e-mail',
  (browser) => {
    const server = forAllTests(startMailServer, 'stop');
    const api = withAdmin({
      beforeStart: () => ({ env: { SMTP_URL: server.url, MAIL_FROM: 'wifi@example.org' } }),
    });

    const linkOfMail = async (count: number): Promise<string> => {
      await until(`e-mail ${String(count)}`, () => (server.mails.length >= count ? true : undefined));
      const text = mailPart(server.mails[count - 1]!.raw, 'text/plain').toString();
      return /^http\S+#token=\S+/m.exec(text)?.[0] ?? '';
    };

    test('somebody new is invited, chooses a password, forgets it, and chooses another', async () => {
      const { page: admin } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      await admin.goto(`${api.url}/users?dialog=create`);
      const dialog = admin.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Jonas Weber');
      await dialog.getByLabel('E-Mail-Adresse').fill('jonas@example.org');
      await dialog.getByLabel('Einladung per E-Mail').check();
      await dialog.getByRole('button', { name: 'Benutzer erstellen' }).click();
      await dialog.getByText('Die Einladung ist unterwegs.').waitFor();

      const { page } = await browser.open(api, { language: 'de' });
      await page.goto(await linkOfMail(1));
      await waitForContent(page);
      await page.waitForURL(`${api.url}/set-password`);
      await page.getByLabel('Neues Passwort').fill('anderes Pferd Batterie 48');
      await page.getByRole('button', { name: 'Passwort speichern' }).click();
      await page.getByRole('link', { name: 'Zur Anmeldung' }).click();

      await page.getByRole('button', { name: 'Passwort vergessen?' }).click();
      await page.getByLabel('Name oder E-Mail-Adresse').fill('jonas@example.org');
      expect(await findIssuesInEveryLook(page, 'forgotten')).toEqual([]);
      await page.getByRole('button', { name: 'Link senden' }).click();
      await page.getByText('ist der Link unterwegs').waitFor();
      await page.goto(await linkOfMail(2));
      await page.getByLabel('Neues Passwort').fill('drittes Pferd Batterie 49');
      await page.getByRole('button', { name: 'Passwort speichern' }).click();
      await page.getByRole('link', { name: 'Zur Anmeldung' }).click();
      await page.getByLabel('Name oder E-Mail-Adresse').fill('jonas@example.org');
      await page.getByRole('textbox', { name: 'Passwort', exact: true }).fill('drittes Pferd Batterie 49');
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      await page.getByRole('heading', { name: 'Empfang', exact: true }).waitFor();
    });
  },
  // Nobody is signed in.
  { mayComplain: /status of 401/ },
);
