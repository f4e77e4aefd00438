import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { wifiBinding } from '../../src/secrets/encryption.js';
import { keyFilePath, openStoredSecrets } from '../../src/secrets/secretKey.js';
import { withAdmin } from '../support/api.js';
import { joinWifi } from '../support/joinWifi.js';
import { withPdf } from '../support/pdf.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { makeBrowser, signInNew, type Browser } from '../support/web.js';

const api = withAdmin();
const ssid = 'Gäste; "oben": \\1';
const password = 'ge:heim;\\"nis," 1';

let staff: Browser;
let stranger: Browser;
let siteId: number;
let voucherId: number;
const path = (): string => `/sites/${String(siteId)}`;
const deskSite = async (browser: Browser) =>
  ((await browser.get('/desk')).body as { sites: Record<string, unknown>[] }).sites.find(
    ({ id }) => id === siteId,
  );
const stored = () =>
  api.database.read('sites').where({ id: siteId }).first('wifi_kind', 'sealed_wifi_password');

beforeAll(async () => {
  const place = await addSite(api.tables, 'Hauptgebäude');
  ({ siteId } = place);
  const other = await addSite(api.tables, 'Anderswo');
  staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [siteId] });
  stranger = await signInNew(api, api.admin, { name: 'Mira', role: 'staff', siteIds: [other.siteId] });
  await api.tables.vouchers.record(someRecord(place, { voucher: someVoucher({ code: '1234567890' }) }));
  voucherId = (await api.tables.voucherSearch.byCode('1234567890'))[0]!.id;
});

test('a password is sealed, and read back by nobody who administrates: not in the site, the audit log or the log', async () => {
  const change = { ssid, wifiKind: 'wpa', isWifiHidden: true, wifiPassword: password };
  const changed = await api.admin.patch(path(), change);
  expect(changed).toMatchObject({
    status: 200,
    body: { ssid, wifiKind: 'wpa', isWifiHidden: true, hasWifiPassword: true },
  });
  const { sealed_wifi_password: sealed } = (await stored()) as { sealed_wifi_password: string };
  expect(sealed).toMatch(/^v2:/);
  expect(
    openStoredSecrets({ secretKey: undefined, dataDir: api.dataDir }).open(sealed, wifiBinding(siteId)),
  ).toBe(password);
  const audit = await api.admin.get('/audit?area=site');
  expect(audit.body).toMatchObject({
    entries: [{ detail: { ssid, wifiKind: 'wpa', isWifiHidden: true, wifiPassword: true } }],
  });
  const seen = [changed.body, audit.body, (await api.admin.get('/sites')).body, api.lines];
  for (const part of [password, sealed])
    expect(JSON.stringify(seen)).not.toContain(JSON.stringify(part).slice(1, -1));
});

test('staff of the site get it for their guests, and nobody else does', async () => {
  const own = await deskSite(staff);
  expect(own).toMatchObject({ ssid, wifiPassword: password });
  expect(joinWifi(String(own?.['wifiJoinText']))).toEqual({
    ...{ type: 'WPA', ssid, password, isHidden: true },
  });
  expect(await deskSite(stranger)).toBeUndefined();
});

test.each(['slip', 'sheet', 'receipt'])(
  'a %s as PDF has name and password, and its QR code joins the network',
  async (layout) => {
    const answer = await staff.post('/vouchers/slips', {
      ...{ voucherIds: [voucherId], layout, language: 'en' },
      ...(layout === 'receipt' && { paper: '58mm' }),
    });
    await withPdf(answer.bytes, async ([page]) => {
      const text = page!.texts.join(' ');
      for (const part of [`Wi-Fi: ${ssid}`, `Wi-Fi password: ${password}`])
        expect(text.replaceAll(' ', '')).toContain(part.replaceAll(' ', ''));
      const area = layout === 'sheet' ? { x: 0, y: 0, width: 300, height: 190 } : undefined;
      expect(joinWifi(await page!.readQr(area))).toEqual({ type: 'WPA', ssid, password, isHidden: true });
    });
  },
);

test('a kiosk gives it together with a code, and not before', async () => {
  const profile = await api.admin.post('/profiles', { name: 'Tag', maxUses: 1, expireMinutes: 60 });
  const kiosk = await api.admin.post('/kiosks', {
    ...{ siteId, profileId: (profile.body as { id: number }).id, perHour: 1, asksName: false },
  });
  const token = (kiosk.body as { path: string }).path.split('#')[1] ?? '';
  const headers = { 'X-Kiosk-Token': token };
  const { request } = makeBrowser(api);
  const take = () => request('PUT', `/kiosk/orders/${randomUUID()}`, { headers, body: {} });
  const seen = await request('GET', '/kiosk', { headers });
  expect(seen).toMatchObject({ status: 200, body: { ssid } });
  expect(JSON.stringify(seen.body)).not.toContain('heim');
  expect(await take()).toMatchObject({ status: 200, body: { state: 'made', wifiPassword: password } });
  const refused = await take();
  expect(refused.status).toBe(429);
  expect(JSON.stringify(refused.body)).not.toContain('heim');
});

test.each([
  ['7 characters', { wifiPassword: 'geheim7' }, 400, 'wifi-password-invalid'],
  ['an umlaut', { wifiPassword: 'geheimnisä' }, 400, 'wifi-password-invalid'],
  ['65 characters', { wifiPassword: 'geheim'.repeat(11) }, 400, 'wifi-password-invalid'],
  ['64 KiB', { wifiPassword: 'geheim'.repeat(11_000) }, 413, 'too-large'],
  ['another kind', { wifiKind: 'wep' }, 400, 'wifi-kind-invalid'],
  ['none where one is needed', { wifiPassword: null }, 409, 'wifi-password-required'],
  ['one for an open network', { wifiKind: 'open', wifiPassword: 'geheimnis' }, 409, 'wifi-open'],
  ['one without a name', { ssid: null, wifiKind: 'wpa' }, 409, 'wifi-name-required'],
])('a password of %s is refused, and changes nothing', async (_name, change, status, message) => {
  const before = await stored();
  const answer = await api.admin.patch(path(), change);
  expect(answer).toMatchObject({ status, body: { message } });
  expect(JSON.stringify(answer.body)).not.toContain('geheim');
  expect(await stored()).toEqual(before);
});

test('without the key the slip has no password, and its QR code holds the code instead of joining an open network', async () => {
  await rm(keyFilePath(api.dataDir));
  expect(await deskSite(staff)).toMatchObject({ ssid, wifiPassword: null, wifiJoinText: null });
  const answer = await staff.post('/vouchers/slips', { voucherIds: [voucherId], layout: 'slip' });
  await withPdf(answer.bytes, async ([page]) => expect(await page!.readQr()).toBe('1234567890'));
});

test('a network that becomes open, or is removed, keeps no password', async () => {
  expect((await api.admin.patch(path(), { wifiKind: 'open' })).body).toMatchObject({
    ...{ ssid, wifiKind: 'open', hasWifiPassword: false },
  });
  expect(await stored()).toEqual({ wifi_kind: 'open', sealed_wifi_password: null });
  expect(await deskSite(staff)).toMatchObject({ wifiPassword: null });
  expect(joinWifi(String((await deskSite(staff))?.['wifiJoinText']))).toMatchObject({ type: 'nopass', ssid });
});
