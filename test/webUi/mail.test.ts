import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { startMailServer, type MailServer } from '../support/mailServer.js';
import { untilValue, waitForContent } from '../support/pages.js';

describeInBrowser('the mail server', (browser) => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.stop());
  const api = withAdmin();

  test('is set up in the page, with a test e-mail before it is saved', async () => {
    const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.goto(`${api.url}/mail`);
    await waitForContent(page);
    await page.getByText('Nicht eingerichtet').waitFor();
    await page.getByLabel('Mailserver').fill('127.0.0.1');
    await page.getByLabel('STARTTLS, wenn der Server es anbietet').check();
    await untilValue(page.getByLabel('Port'), '25');
    await page.getByLabel('Port').fill(new URL(server.url).port);
    await page.getByLabel('Absender').fill('Hotel <wifi@example.org>');
    await page.getByLabel('Test-E-Mail an').fill('anna@example.org');
    server.answer({ code: 550, text: '5.1.1 no such mailbox here' });
    await page.getByRole('button', { name: 'Test-E-Mail senden' }).click();
    await page.getByText('550 5.1.1 no such mailbox here').waitFor();
    // What it is about is seen without scrolling, also below a long form. A page scrolls by whole pixels.
    const refusal = page.getByRole('alert').filter({ hasText: 'Die Test-E-Mail wurde nicht gesendet' });
    const { y, height } = (await refusal.boundingBox())!;
    expect(Math.floor(y + height)).toBeLessThanOrEqual(page.viewportSize()!.height);
    expect(await findIssuesInEveryLook(page, 'mail')).toEqual([]);
    server.answer(null);
    await page.getByRole('button', { name: 'Test-E-Mail senden' }).click();
    await page.getByText('Der Mailserver hat die Test-E-Mail angenommen.').waitFor();
    await page.getByText('Die Angaben sind noch nicht gespeichert.').waitFor();
    expect(server.mails.map(({ to }) => to)).toEqual([['anna@example.org']]);
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Der Mailserver ist gespeichert.').waitFor();
    await page.getByText('Eingerichtet', { exact: true }).waitFor();
  });
});
