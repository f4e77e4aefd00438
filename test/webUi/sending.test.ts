import { expect, test } from '@jest/globals';
import { startTwilioSimulator } from '../../simulators/twilio.js';
import { composeVoucherEmail, withPictures } from '../../src/email/voucherEmail.js';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { slipIn } from '../soak/printed/pieces.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { forAllTests } from '../support/fixture.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { startMailServer } from '../support/mailServer.js';
import {
  findAccessibilityIssues,
  openAgain,
  untilDrawn,
  untilValue,
  waitForContent,
} from '../support/pages.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { until } from '../support/until.js';

describeInBrowser(
  'SMS',
  (browser) => {
    const twilio = forAllTests(startTwilioSimulator, 'stop');
    const api = withAdmin({
      beforeStart: () => ({ development: true, env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } }),
    });

    let [siteId, profileId] = [0, 0];

    test('a provider is set up in the page, with a test SMS before it is saved', async () => {
      const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      await page.goto(`${api.url}/sms`);
      await waitForContent(page);
      await page.getByText('Nicht eingerichtet').waitFor();
      await page.getByLabel('Anderer Anbieter oder eigenes Gateway').check();
      await page.getByLabel('Vorlage der Anfrage').fill('{"to":"{to}"}');
      await page.getByLabel('Adresse').fill('https://sms.example.org/send');
      await page.getByRole('button', { name: 'Speichern' }).click();
      await page.getByText('Die Vorlage ist kein gültiges JSON').waitFor();
      expect(await findIssuesInEveryLook(page, 'sms-http')).toEqual([]);
      await page.getByLabel('Twilio', { exact: true }).check();
      await untilValue(page.getByLabel('Adresse'), 'https://api.twilio.com');
      await page.getByLabel('Adresse').fill(twilio.url);
      await page.getByLabel('Account-SID').fill(twilio.accountSid);
      await page.getByLabel('Auth-Token', { exact: true }).fill('falsch');
      await page.getByLabel('Absender').fill('+15005550006');
      await page.getByLabel('Landesvorwahl', { exact: true }).fill('+49');
      await page.getByLabel('Nur an diese Vorwahlen').fill('+49, 0043');
      await page.getByLabel('Test-SMS an').fill('0171 1234567');
      await page.getByRole('button', { name: 'Test-SMS senden' }).click();
      await page.getByText('401 20003: Authenticate').waitFor();
      await page.getByLabel('Auth-Token', { exact: true }).fill(twilio.authToken);
      await page.getByRole('button', { name: 'Test-SMS senden' }).click();
      await page.getByText('Der Anbieter hat die Test-SMS an +491711234567 angenommen.').waitFor();
      await page.getByText('Die Angaben sind noch nicht gespeichert.').waitFor();
      await page.getByRole('button', { name: 'Speichern' }).click();
      await page.getByText('Der SMS-Anbieter ist gespeichert.').waitFor();
      await page.getByText('Eingerichtet', { exact: true }).waitFor();
      expect(await api.admin.get('/sms-provider')).toMatchObject({
        body: { countryCode: '49', allowedCodes: ['49', '43'], hasSecret: true },
      });
      await page.close();
    });

    test('staff send a voucher to a number, and see what became of it', async () => {
      const place = await addSite(api.tables, 'Gästehaus');
      await api.tables.vouchers.record(someRecord(place, { voucher: someVoucher({ code: '1234567890' }) }));
      const [voucher] = await api.tables.voucherSearch.byCode('1234567890');
      const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      await page.goto(`${api.url}/vouchers?voucher=${String(voucher!.id)}`);
      await waitForContent(page);
      await page.getByRole('button', { name: 'Per SMS senden' }).click();
      const dialog = page.getByRole('dialog', { name: '12345-67890 per SMS senden' });
      const number = dialog.getByLabel('Handynummer des Gastes');
      await dialog.getByText('Ohne Landesvorwahl gilt +49.').waitFor();
      await number.fill('123');
      await number.press('Enter');
      await dialog.getByText('Das ist keine Telefonnummer.').waitFor();
      expect(await findIssuesInEveryLook(page, 'sms-dialog')).toEqual([]);
      await number.fill('+1 900 1234567');
      await number.press('Enter');
      await dialog.getByText('An Nummern mit dieser Vorwahl werden keine SMS gesendet.').waitFor();
      await number.fill('0171 1234567');
      await number.press('Enter');
      await page.getByText('Die SMS an +491711234567 ist unterwegs.').waitFor();
      const table = page.getByRole('table', { name: 'SMS' });
      await table.getByText('+491711234567').waitFor();
      await openAgain(page);
      await table.getByText('Gesendet').waitFor();
      expect(twilio.accepted.filter(({ body }) => body.includes('12345-67890'))).toHaveLength(1);
      await page.close();
    });

    test('an administrator lets a kiosk send SMS, and a guest types a number there', async () => {
      siteId = await api.addSite({ name: 'Strandhotel' });
      const profile = { name: 'Tag', maxUses: 1, expireMinutes: 1440 };
      ({ id: profileId } = (await api.admin.post('/profiles', profile)).body as { id: number });
      const kiosk = { name: 'Foyer', siteId, profileId, perHour: 20, asksName: false };
      const added = (await api.admin.post('/kiosks', kiosk)).body as { path: string; kiosk: { id: number } };
      const administration = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
      const { page } = administration;
      await page.goto(`${api.url}/kiosks?dialog=change&id=${String(added.kiosk.id)}`);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('switch', { name: 'Code per SMS anbieten' }).press('Space');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await page.getByText('Foyer ist gespeichert.').waitFor();
      await page.close();

      const { page: tablet } = await browser.open(api, { language: 'de' });
      await tablet.goto(api.url + added.path);
      await tablet.getByRole('button', { name: 'Zugangscode holen' }).click();
      const code = tablet.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ });
      await code.waitFor();
      const number = tablet.getByLabel('Code per SMS bekommen');
      await number.fill('123');
      await number.press('Enter');
      await tablet.getByText('Das ist keine Handynummer.').waitFor();
      expect(await findIssuesInEveryLook(tablet, 'kiosk-sms-refused')).toEqual([]);
      await number.fill('+1 900 1234567');
      await number.press('Enter');
      await tablet.getByText('An Nummern aus diesem Land werden keine SMS gesendet.').waitFor();
      await number.fill('0171 7654321');
      await tablet.getByRole('button', { name: 'Senden' }).dblclick();
      await tablet.getByText('Unterwegs an 0171 7654321.').waitFor();
      const text = await code.innerText();
      await until('the SMS', () => twilio.accepted.some(({ body }) => body.includes(text)));
      expect(twilio.accepted.filter(({ body }) => body.includes(text))).toMatchObject([
        { to: '+491717654321', body: expect.stringContaining('Zugangscode') },
      ]);
      // From right to left, a number still reads from left to right.
      await tablet.getByLabel('Sprache').selectOption('fa');
      await tablet.getByLabel('دریافت کد با پیامک').waitFor();
      expect(await findIssuesInEveryLook(tablet, 'kiosk-sms-fa')).toEqual([]);
      await tablet.close();
    });

    test('a guest gets the code by SMS on a guest page, which no phone cuts or breaks', async () => {
      const page = { siteId, profileId, perHour: 20, asksName: false, slug: 'see', sendsSms: true };
      expect((await api.admin.post('/kiosks', { ...page, backgroundColour: '#2f6f4e' })).status).toBe(201);
      const { page: phone } = await browser.open(api, { language: 'de', width: 320 });
      await phone.goto(`${api.url}/guest/see`);
      await phone.getByRole('button', { name: 'Zugangscode holen' }).click();
      const code = phone.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ });
      await code.waitFor();
      const [height, lineHeight] = await phone.evaluate<[number, number]>(
        "[document.querySelector('h1').clientHeight, parseFloat(getComputedStyle(document.querySelector('h1')).lineHeight)]",
      );
      expect(height).toBeLessThan(1.5 * lineHeight);
      const number = phone.getByLabel('Code per SMS bekommen');
      await number.fill('0171 2345678');
      await phone.getByRole('button', { name: 'Senden' }).dblclick();
      await phone.getByText('Unterwegs an 0171 2345678.').waitFor();
      const text = await code.innerText();
      await until('the SMS', () => twilio.accepted.some(({ body }) => body.includes(text)));
      expect(twilio.accepted.filter(({ body }) => body.includes(text))).toMatchObject([
        { to: '+491712345678' },
      ]);
      // A third one for the same code.
      for (const next of ['0171 2345679', '0171 2345670']) {
        await number.fill(next);
        await number.press('Enter');
        await phone.getByText(`Unterwegs an ${next}.`).or(phone.getByText('oft genug')).waitFor();
      }
      await phone.getByText('Dieser Code wurde schon oft genug per SMS gesendet.').waitFor();
      expect(await findIssuesInEveryLook(phone, 'guest-sms')).toEqual([]);
      // No connection, in words for any device.
      await phone.context().setOffline(true);
      await phone.getByRole('button', { name: 'Fertig' }).click();
      await phone.getByRole('button', { name: 'Zugangscode holen' }).click();
      await phone.getByText('Der Dienst ist gerade nicht erreichbar.').waitFor();
      await phone.close();
    });
  },
  { mayComplain: /status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/ },
);

describeInBrowser('the mail server', (browser) => {
  const server = forAllTests(startMailServer, 'stop');
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

const code = '88888-88888';

/** How many lines the code takes. */
const linesOfCode = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const at = texts.currentNode.data.indexOf('${code}');
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + ${String(code.length)});
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  }
  return 0;
})()`;

describeInBrowser('an e-mail with the longest texts', (browser) => {
  test('fits on phones in every language, its code is whole, and it is accessible', async () => {
    // Nothing is asked for: pictures are part of the e-mail.
    const { page } = await browser.open({ url: 'http://127.0.0.1' });
    const found: unknown[] = [];
    for (const language of guestLanguages)
      for (const filling of ['longest', 'own'] as const) {
        const email = composeVoucherEmail(slipIn(language, filling), loadGuestTexts(language));
        await page.setContent(withPictures(email));
        // What fits on a phone fits on a desk; there, texts run in one direction or the other.
        for (const width of ['de', 'fa'].includes(language) ? [320, 900] : [320]) {
          await page.setViewportSize({ width, height: 900 });
          await untilDrawn(page);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          const lines = await page.evaluate(linesOfCode);
          if (overflow !== 0 || lines !== 1) found.push({ language, filling, width, overflow, lines });
        }
        expect(await page.locator('html').getAttribute('dir')).toBe(language === 'fa' ? 'rtl' : 'ltr');
        // What is read and in which colours is the same in each language.
        if (language === 'de' || language === 'fa') found.push(...(await findAccessibilityIssues(page)));
        expect(email.text).toContain(code);
      }
    expect(found).toEqual([]);
  });
});
