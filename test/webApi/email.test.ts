import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PNG } from 'pngjs';
import { withAdmin } from '../support/api.js';
import { forAllTests } from '../support/fixture.js';
import { startMailServer } from '../support/mailServer.js';
import { joinWifi } from '../support/joinWifi.js';
import { mailPart } from '../support/mailParts.js';
import { readQrCode } from '../support/pdf.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import type { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { signInNew, type Browser } from '../support/web.js';

const record = async (
  service: TestService,
  place: { siteId: number; controllerId: number },
  code: string,
  values: Parameters<typeof someVoucher>[0] = {},
) => {
  const { tables } = service.app;
  await tables.vouchers.record(someRecord(place, { voucher: someVoucher({ code, ...values }) }));
  return (await tables.voucherSearch.byCode(code))[0]!.id;
};

describe('with a mail server', () => {
  const server = forAllTests(startMailServer, 'stop');
  const api = withAdmin({
    beforeStart: () => ({
      development: true,
      env: { SMTP_URL: server.url, MAIL_FROM: 'Hotel am See <wifi@example.org>' },
    }),
  });

  let staff: Browser;
  let place: Awaited<ReturnType<typeof addSite>>;
  let voucherId: number;
  let foreignId: number;
  beforeAll(async () => {
    place = await addSite(api.tables, 'Gästehaus <b>am</b> See');
    await api.admin.patch(`/sites/${String(place.siteId)}`, {
      ssid: 'Gäste',
      slipText: '<script>alert(1)</script>',
    });
    staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [place.siteId] });
    voucherId = await record(api, place, '1234567890');
    foreignId = await record(api, await addSite(api.tables, 'Anderswo'), '5555566666');
  });
  const send = (browser: Browser, id: string, body: object) => browser.put(`/emails/${id}`, body);
  const emailsOf = async (id: number) =>
    ((await staff.get(`/vouchers/${String(id)}`)).body as { emails: { id: string; state: string }[] }).emails;
  const untilSent = (id: string) =>
    until('the e-mail', async () =>
      (await emailsOf(voucherId)).some((email) => email.id === id && email.state === 'sent')
        ? true
        : undefined,
    );
  test('a double click sends one e-mail, with code, text, HTML and QR code', async () => {
    const id = randomUUID();
    const body = { voucherId, to: ' gast@example.org ', language: 'de' };
    const answers = await Promise.all([send(staff, id, body), send(staff, id, body)]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: { id, to: 'gast@example.org' } });
    await untilSent(id);
    expect((await send(staff, id, body)).body).toMatchObject({ id, state: 'sent', reason: null });
    expect(server.mails).toHaveLength(1);
    const { raw, to } = server.mails[0]!;
    expect(to).toEqual(['gast@example.org']);
    expect(raw).toMatch(/^From: Hotel am See <wifi@example\.org>\r$/m);
    const text = mailPart(raw, 'text/plain').toString();
    for (const line of [
      '12345-67890',
      'WLAN: Gäste',
      'Gültig für 8\u00A0Stunden ab der ersten Anmeldung',
      '<script>alert(1)</script>',
    ])
      expect(text).toContain(line);
    const html = mailPart(raw, 'text/html').toString();
    expect(html).toContain('Gästehaus &lt;b&gt;am&lt;/b&gt; See');
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('src="cid:qr@voucherd"');
    const { data, width, height } = PNG.sync.read(mailPart(raw, 'image/png'));
    expect(readQrCode({ data: new Uint8ClampedArray(data), width, height })).toBe('WIFI:T:nopass;S:Gäste;;');
    expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
      entries: [{ action: 'voucher.email', actorName: 'Jonas', subjectId: String(voucherId), detail: {} }],
    });
    expect((await staff.get('/desk')).body).toMatchObject({ hasEmail: true });
  });

  test('a network with a password is in text, HTML and QR code', async () => {
    const [ssid, wifiPassword] = ['Gäste; "1"', 'a<b>;\\:"  c'];
    const path = `/sites/${String(place.siteId)}`;
    await api.admin.patch(path, { ssid, wifiKind: 'sae', wifiPassword });
    const id = randomUUID();
    await send(staff, id, { voucherId, to: 'gast@example.org', language: 'en' });
    await untilSent(id);
    await api.admin.patch(path, { ssid: 'Gäste', wifiKind: 'open' });
    const { raw } = server.mails.at(-1)!;
    expect(mailPart(raw, 'text/plain').toString()).toContain(
      `Wi-Fi: ${ssid}\r\nWi-Fi password: ${wifiPassword}\r\n`,
    );
    const html = mailPart(raw, 'text/html').toString();
    expect(html).toContain('</span> password: a&lt;b&gt;;\\:&quot;  c<br>');
    const { data, width, height } = PNG.sync.read(mailPart(raw, 'image/png'));
    const scanned = readQrCode({ data: new Uint8ClampedArray(data), width, height });
    expect(joinWifi(scanned)).toEqual({ type: 'SAE', ssid, password: wifiPassword, isHidden: false });
  });

  test('another e-mail with the same id is refused, also of another user', async () => {
    const id = randomUUID();
    const body = { voucherId, to: 'gast@example.org', language: 'en' };
    expect((await send(staff, id, body)).status).toBe(200);
    for (const [browser, other] of [
      [staff, { ...body, to: 'andere@example.org' }],
      [staff, { ...body, language: 'fr' }],
      [api.admin, { ...body, voucherId: foreignId }],
      [api.admin, body],
    ] as const)
      expect(await send(browser, id, other)).toMatchObject({
        status: 409,
        body: { message: 'email-changed' },
      });
    await untilSent(id);
  });

  test('a voucher of another site is not there', async () => {
    for (const unknown of [foreignId, 999_999])
      expect((await send(staff, randomUUID(), { voucherId: unknown, to: 'a@example.org' })).status).toBe(404);
  });

  test.each([
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org, b@example.org',
    'a@example.org;b@example.org',
    'Gast <a@example.org>',
    '"x y"@example.org',
    'a@b@example.org',
    'a\u0007@example.org',
    'gast',
    '',
    `${'a'.repeat(250)}@example.org`,
  ])('%j is no address', async (to) => {
    const before = (await emailsOf(voucherId)).length;
    expect(await send(staff, randomUUID(), { voucherId, to })).toMatchObject({
      status: 400,
      body: { message: 'email-invalid' },
    });
    expect(await emailsOf(voucherId)).toHaveLength(before);
  });

  const guest = (index: number): string => `guest${String(index)}@example.org`;

  test('a voucher is sent 50 times at most', async () => {
    const left = 50 - (await emailsOf(voucherId)).length;
    const answers = [];
    for (let index = 0; index <= left; index += 1)
      answers.push((await send(staff, randomUUID(), { voucherId, to: guest(index) })).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(left);
    expect(await send(staff, randomUUID(), { voucherId, to: 'viele@example.org' })).toMatchObject({
      status: 409,
      body: { message: 'too-many-emails' },
    });
    expect(await emailsOf(voucherId)).toHaveLength(50);
    // What was refused counts for nobody.
    const other = await record(api, place, '3333333333');
    for (let count = 0; count < 10; count += 1)
      expect((await send(staff, randomUUID(), { voucherId, to: 'refused@example.org' })).status).toBe(409);
    expect(
      (await send(api.admin, randomUUID(), { voucherId: other, to: 'refused@example.org' })).status,
    ).toBe(200);
  });

  test('in an hour a guest gets 10 e-mails, and a user sends 60; a repeated one is not counted', async () => {
    const mira = await signInNew(api, api.admin, { name: 'Mira', role: 'staff', siteIds: [place.siteId] });
    const [first, second] = [await record(api, place, '1111111111'), await record(api, place, '2222222222')];
    const limited = { status: 429, body: { message: 'email-limit' }, headers: { 'retry-after': /^\d+$/ } };
    const expectLimited = async (browser: Browser, to: string): Promise<void> => {
      const { headers, ...answer } = await send(browser, randomUUID(), { voucherId: second, to });
      expect(answer).toMatchObject({ status: limited.status, body: limited.body });
      expect(headers['retry-after']).toMatch(limited.headers['retry-after']);
    };
    const id = randomUUID();
    const toOne = { voucherId: first, to: 'one@example.org', language: 'en' };
    for (let count = 0; count < 3; count += 1) expect((await send(mira, id, toOne)).status).toBe(200);
    for (let count = 1; count < 10; count += 1)
      expect((await send(mira, randomUUID(), toOne)).status).toBe(200);
    for (const somebody of [mira, api.admin]) await expectLimited(somebody, 'One@Example.org');
    for (const spelling of ['one+1@example.org', 'ONE+2@EXAMPLE.ORG']) await expectLimited(mira, spelling);
    expect((await send(mira, id, toOne)).status).toBe(200);
    for (let count = 10; count < 60; count += 1) {
      const body = { voucherId: count < 50 ? first : second, to: guest(1000 + count) };
      expect((await send(mira, randomUUID(), body)).status).toBe(200);
    }
    await expectLimited(mira, 'last@example.org');
    expect((await send(api.admin, randomUUID(), { voucherId: second, to: 'last@example.org' })).status).toBe(
      200,
    );
  });

  test('a voucher that is revoked or expired is not sent', async () => {
    const revoked = await record(api, place, '3333333333');
    await api.database.write('vouchers').where({ id: revoked }).update({ revoked_at: 1 });
    const expired = await record(api, place, '4444444444', { expiresAt: Date.now() - 1 });
    for (const id of [revoked, expired])
      expect(await send(api.admin, randomUUID(), { voucherId: id, to: 'late@example.org' })).toMatchObject({
        status: 409,
        body: { message: 'no-longer-valid' },
      });
  });
});

describe('without a mail server', () => {
  const api = withAdmin({ development: true });

  test('nothing is sent, and the desk says so', async () => {
    const place = await addSite(api.tables);
    const voucherId = await record(api, place, '1234567890');
    const body = { voucherId, to: 'gast@example.org' };
    expect(await api.admin.put(`/emails/${randomUUID()}`, body)).toMatchObject({
      status: 409,
      body: { message: 'email-not-set-up' },
    });
    expect((await api.admin.get('/desk')).body).toMatchObject({ hasEmail: false });
  });
});
