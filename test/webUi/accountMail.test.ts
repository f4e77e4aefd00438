import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { mailPart } from '../support/mailParts.js';
import { startMailServer, type MailServer } from '../support/mailServer.js';
import { waitForContent } from '../support/pages.js';
import { until } from '../support/until.js';

describeInBrowser(
  'passwords by e-mail',
  (browser) => {
    let server: MailServer;
    beforeAll(async () => {
      server = await startMailServer();
    });
    afterAll(() => server.stop());
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
      expect(await findIssuesInEveryLook(admin, 'invite')).toEqual([]);
      await dialog.getByRole('button', { name: 'Benutzer erstellen' }).click();
      await dialog.getByText('Die Einladung ist unterwegs.').waitFor();

      const { page } = await browser.open(api, { language: 'de' });
      await page.goto(await linkOfMail(1));
      await waitForContent(page);
      await page.waitForURL(`${api.url}/set-password`);
      expect(await findIssuesInEveryLook(page, 'set-password')).toEqual([]);
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
