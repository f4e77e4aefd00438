import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTwilioSimulator } from '../../simulators/twilio.js';
import { withAdmin } from '../support/api.js';
import { forAllTests } from '../support/fixture.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { until } from '../support/until.js';
import { signInNew, type Browser } from '../support/web.js';

const twilio = forAllTests(startTwilioSimulator, 'stop');
beforeAll(async () => {
  plantSecrets([twilio.authToken]);
});

const loopback = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' };
const settings = (values: object = {}) => ({
  ...{ kind: 'twilio', url: twilio.url, user: twilio.accountSid, from: '+15005550006', method: 'POST' },
  ...{ headers: '', format: 'json', body: '', sentText: null },
  ...{ countryCode: '49', allowedCodes: [], maxPerDay: 1000 },
  ...values,
});
const other = (values: object = {}) =>
  settings({ kind: 'http', user: null, body: '{"to":"{to}","text":"{text}"}', ...values });

describe('an SMS provider that is set up in the web UI', () => {
  const api = withAdmin({ beforeStart: () => ({ development: true, env: loopback }) });
  let staff: Browser;
  let voucherId: number;
  let foreignId: number;
  beforeAll(async () => {
    const place = await addSite(api.tables, 'Gästehaus');
    await api.admin.patch(`/sites/${String(place.siteId)}`, { ssid: 'Gäste' });
    const elsewhere = await addSite(api.tables, 'Anderswo');
    staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [place.siteId] });
    const record = async (code: string, at: typeof place) => {
      await api.tables.vouchers.record(someRecord(at, { voucher: someVoucher({ code }) }));
      return (await api.tables.voucherSearch.byCode(code))[0]!.id;
    };
    voucherId = await record('1234567890', place);
    foreignId = await record('5555566666', elsewhere);
  });
  const setUp = async (values: object = {}): Promise<void> => {
    const answer = await api.admin.put('/sms-provider', settings({ secret: twilio.authToken, ...values }));
    expect(answer.status).toBe(200);
  };
  beforeEach(async () => {
    await api.admin.delete('/sms-provider');
    await api.database.write('outbox').delete();
  });
  const send = (browser: Browser, id: string, body: object) => browser.put(`/sms/${id}`, body);
  const smsOf = async () =>
    ((await staff.get(`/vouchers/${String(voucherId)}`)).body as { sms: { id: string; state: string }[] })
      .sms;
  const untilSettled = (id: string) =>
    until('the SMS', async () => (await smsOf()).find((sms) => sms.id === id && sms.state !== 'waiting'));

  test('is off at first, and once set up sends a double click once, from the next second on', async () => {
    expect((await api.admin.get('/sms-provider')).body).toMatchObject({ kind: null, isComplete: false });
    expect((await staff.get('/desk')).body).toMatchObject({ sms: null });
    const body = { voucherId, to: ' 0171 / 123 45-67 ', language: 'de' };
    expect(await send(staff, randomUUID(), body)).toMatchObject({
      status: 409,
      body: { message: 'sms-not-set-up' },
    });
    await setUp();
    expect((await staff.get('/desk')).body).toMatchObject({ sms: { countryCode: '49' } });
    const id = randomUUID();
    for (const answer of await Promise.all([send(staff, id, body), send(staff, id, body)]))
      expect(answer).toMatchObject({ status: 200, body: { id, to: '+491711234567', reason: null } });
    expect(await untilSettled(id)).toMatchObject({ state: 'sent', to: '+491711234567' });
    expect(twilio.accepted).toEqual([
      expect.objectContaining({
        ...{ to: '+491711234567', from: '+15005550006' },
        body: 'Gästehaus\nWLAN: Gäste\nZugangscode: 12345-67890\nGültig für 8 Stunden ab der ersten Anmeldung',
      }),
    ]);
    expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
      entries: [{ action: 'voucher.sms', actorName: 'Jonas', subjectId: String(voucherId), detail: {} }],
    });
    // Another one with the same id, also of another user.
    for (const [browser, changed] of [
      [staff, { ...body, to: '0171 7654321' }],
      [api.admin, body],
    ] as const)
      expect(await send(browser, id, changed)).toMatchObject({
        status: 409,
        body: { message: 'sms-changed' },
      });
    for (const unknown of [foreignId, 999_999])
      expect((await send(staff, randomUUID(), { ...body, voucherId: unknown })).status).toBe(404);
    expect((await api.admin.get('/audit?area=setting')).body).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({
          action: 'setting.sms',
          detail: expect.objectContaining({ kind: 'twilio', host: '127.0.0.1' }),
        }),
      ]),
    });
  });

  test.each([
    ['+49 171 1234567', '+491711234567'],
    ['0049 (171) 1234567', '+491711234567'],
    ['+49 (0) 171 1234567', '+491711234567'],
    ['+1 650-555-1234', '+16505551234'],
  ])('%s is understood', async (to, expected) => {
    await setUp();
    const answer = await send(api.admin, randomUUID(), { voucherId, to });
    expect(answer).toMatchObject({ status: 200, body: { to: expected } });
  });

  test.each([
    ['', 'sms-number-invalid'],
    ['12', 'sms-number-invalid'],
    ['0171', 'sms-number-invalid'],
    ['+49171123456789012', 'sms-number-invalid'],
    ['+49171123456; +49171123457', 'sms-number-invalid'],
    ['+49 171 12345\u202e67', 'sms-number-invalid'],
    ['١٢٣٤٥٦٧٨٩', 'sms-number-invalid'],
    ['gast@example.org', 'sms-number-invalid'],
    ['x'.repeat(3000), 'sms-number-invalid'],
  ])('%p is no number, and nothing is sent', async (to, message) => {
    await setUp();
    expect(await send(staff, randomUUID(), { voucherId, to })).toMatchObject({
      status: 400,
      body: { message },
    });
    expect(await smsOf()).toEqual([]);
  });

  test('sends only to allowed codes, so many in a day, and five to a number in an hour', async () => {
    await setUp({ allowedCodes: ['49', '43'], maxPerDay: 6 });
    expect(await send(staff, randomUUID(), { voucherId, to: '+1 900 5551234' })).toMatchObject({
      status: 409,
      body: { message: 'sms-number-refused' },
    });
    const to = '+43660123456';
    for (let count = 0; count < 5; count += 1)
      expect((await send(staff, randomUUID(), { voucherId, to })).status).toBe(200);
    const refused = { status: 429, body: { message: 'sms-limit' } };
    expect(await send(staff, randomUUID(), { voucherId, to })).toMatchObject(refused);
    expect((await send(staff, randomUUID(), { voucherId, to: '+43660123457' })).status).toBe(200);
    expect(await send(staff, randomUUID(), { voucherId, to: '+43660123458' })).toMatchObject(refused);
    expect(await smsOf()).toHaveLength(6);
    // The limit of the day is stored: a restart does not begin another one.
    await api.database.write('outbox').update({ created_at: 1 });
    expect((await send(staff, randomUUID(), { voucherId, to: '+43660123458' })).status).toBe(200);
  });

  test('keeps its secret sealed, and sends it nowhere else', async () => {
    await setUp();
    const shown = await api.admin.get('/sms-provider');
    expect(shown.body).toMatchObject({ user: twilio.accountSid, hasSecret: true, isComplete: true });
    const [row] = await api.database
      .read('connections')
      .where({ name: 'sms' })
      .select<{ sealed_secret: string }[]>();
    expect(row!.sealed_secret).toMatch(/^v2:/);
    for (const text of [shown.text, JSON.stringify(row)]) expect(text).not.toContain(twilio.authToken);
    const test = { to: '+491711234567', provider: settings({ from: 'Hotel' }) };
    expect((await api.admin.post('/sms-provider/test', test)).body).toEqual({
      ...{ isSent: true, to: '+491711234567', reason: null, answer: null },
    });
    // Those of other tests may still be on their way.
    expect(twilio.accepted.filter(({ from }) => from === 'Hotel')).toHaveLength(1);
    for (const values of [{ url: 'http://127.0.0.1:1' }, { user: `AC${'0'.repeat(32)}` }])
      for (const answer of [
        await api.admin.put('/sms-provider', settings(values)),
        await api.admin.post('/sms-provider/test', { ...test, provider: settings(values) }),
      ])
        expect(answer).toMatchObject({ status: 409, body: { message: 'sms-secret-required' } });
    expect((await api.admin.put('/sms-provider', other())).body).toMatchObject({
      ...{ kind: 'http', hasSecret: false, isComplete: true },
    });
  });

  test('a stored secret stays at its place in the request', async () => {
    const body = (places: object) => ({ body: JSON.stringify({ to: '{to}', text: '{text}', ...places }) });
    const save = (values: object) => api.admin.put('/sms-provider', other(values));
    expect((await save({ ...body({ auth: { key: '{secret}' } }), secret: 'ein Geheimnis' })).status).toBe(
      200,
    );
    expect((await save({ ...body({ auth: { key: '{secret}' } }), maxPerDay: 10 })).body).toMatchObject({
      ...{ hasSecret: true, maxPerDay: 10 },
    });
    const moved = [
      body({ key: '{secret}' }),
      body({ auth: { key: 'x {secret}' } }),
      { headers: 'X: {secret}' },
    ];
    for (const values of moved) {
      const answers = [
        await save(values),
        await api.admin.post('/sms-provider/test', { to: '+491711234567', provider: other(values) }),
      ];
      for (const answer of answers)
        expect({ values, answer }).toMatchObject({
          answer: { status: 409, body: { message: 'sms-secret-required' } },
        });
    }
    const { entries } = (await api.admin.get('/audit?area=setting')).body as {
      entries: { detail: object }[];
    };
    const provider = { kind: 'http', host: '127.0.0.1' };
    expect(entries.slice(0, 2).map(({ detail }) => detail)).toEqual([
      { ...provider, maxPerDay: 10 },
      {
        ...provider,
        ...{ request: true, secret: true, sender: '+15005550006' },
        countries: true,
        maxPerDay: 1000,
      },
    ]);
  });

  test('a test tells what the provider said, and ten in an hour are enough', async () => {
    const test = (values: object) =>
      api.admin.post('/sms-provider/test', { to: '0171 1234567', provider: settings(values) });
    expect((await test({ secret: 'wrong' })).body).toMatchObject({
      ...{ isSent: false, answer: '401 20003: Authenticate' },
      reason: { en: 'the SMS provider refuses the credentials' },
    });
    expect((await test({ secret: 'x', url: 'http://127.0.0.1:1' })).body).toMatchObject({
      ...{ isSent: false, answer: null },
      reason: { en: 'the SMS provider can not be reached: connection refused' },
    });
    let answer = await test({ secret: 'wrong' });
    for (let count = 0; count < 10 && answer.status === 200; count += 1) answer = await test({ secret: 'x' });
    expect(answer).toMatchObject({ status: 429, body: { message: 'sms-limit' } });
  });

  test('a removed provider lets SMS wait, and a new one sends them', async () => {
    await setUp();
    twilio.fail({ does: 'answer', status: 503 });
    const id = randomUUID();
    await send(api.admin, id, { voucherId, to: '+491719999999' });
    await until('the failure', async () => (await smsOf()).some(({ state }) => state === 'waiting'));
    await api.admin.delete('/sms-provider');
    expect((await staff.get('/desk')).body).toMatchObject({ sms: null });
    await setUp();
    expect(await untilSettled(id)).toMatchObject({ state: 'sent' });
  });

  test.each<[string, object, number, string]>([
    ['an address inside a network', { url: 'http://10.0.0.1/' }, 400, 'address-private'],
    ['where clouds hand out credentials', { url: 'http://169.254.169.254/' }, 400, 'address-private'],
    ['what is no address', { url: 'sms gateway' }, 400, 'url-invalid'],
    ['a password in the address', { url: 'https://a:b@example.org/' }, 400, 'url-invalid'],
    ['a file', { url: 'file:///etc/passwd' }, 400, 'url-invalid'],
    ['an address of 3000 characters', { url: `https://example.org/${'x'.repeat(3000)}` }, 400, 'url-invalid'],
    ['a body that is no JSON', { body: '{to} {text}' }, 400, 'sms-body-invalid'],
    ['a body without a text', { body: '{"to":"{to}"}' }, 400, 'sms-body-invalid'],
    ['an unknown placeholder', { body: '{"to":"{to}","text":"{text}{code}"}' }, 400, 'sms-body-invalid'],
    ['a header of two lines', { headers: 'X: a\rb' }, 400, 'sms-headers-invalid'],
    ['a header with the text', { headers: 'X: {text}' }, 400, 'sms-headers-invalid'],
    ['another host', { headers: 'Host: example.org' }, 400, 'sms-headers-invalid'],
    ['a header without a name', { headers: ': x' }, 400, 'sms-headers-invalid'],
    ['a method that there is not', { method: 'DELETE' }, 400, 'sms-method-invalid'],
    ['a sender of two lines', { from: 'a\nb' }, 400, 'sms-from-invalid'],
    ['a country that is none', { countryCode: '+49' }, 400, 'sms-country-invalid'],
    ['no SMS at all', { maxPerDay: 0 }, 400, 'sms-max-invalid'],
    ['a secret beside the text', { body: '{"to":"{to}","text":"{text} {secret}"}' }, 400, 'sms-secret-mixed'],
    ['a placeholder for a secret without one', { headers: 'X: {secret}' }, 409, 'sms-secret-required'],
  ])('%s is refused, and nothing changes', async (_, values, status, message) => {
    const provider = other(values);
    expect(await api.admin.put('/sms-provider', provider)).toMatchObject({ status, body: { message } });
    expect(await api.admin.post('/sms-provider/test', { to: '+491711234567', provider })).toMatchObject({
      status,
      body: { message },
    });
    expect((await api.admin.get('/sms-provider')).body).toMatchObject({ kind: null });
  });

  test('an account SID that is none is refused', async () => {
    const answer = await api.admin.put('/sms-provider', settings({ user: 'AC/../x', secret: 'x' }));
    expect(answer).toMatchObject({ status: 400, body: { message: 'sms-user-invalid' } });
  });

  test('an own text of the site stands above the code, or instead of everything', async () => {
    const preview = async (smsText: string) =>
      (await api.admin.post('/texts/1/preview', { language: 'de', texts: { smsText } })).body;
    expect(await preview('Willkommen!')).toMatchObject({
      sms: { text: expect.stringMatching(/^Willkommen!\nWLAN: Gäste\nZugangscode: 12345-67890\n/), parts: 1 },
    });
    expect(await preview('{code} für {wifi}')).toMatchObject({
      sms: { text: '12345-67890 für Gäste', parts: 1 },
    });
    expect(await preview('Grüße 😀 {wifi}')).toMatchObject({ sms: { parts: 2 } });
  });
});

describe('what the environment sets', () => {
  const api = withAdmin({
    beforeStart: () => ({
      env: {
        ...{ ...loopback, SMS_PROVIDER: 'twilio', SMS_URL: twilio.url, SMS_USER: twilio.accountSid },
        ...{ SMS_SECRET: twilio.authToken, SMS_FROM: '+15005550006' },
      },
    }),
  });

  test('wins, and is shown as fixed; the rules can be set', async () => {
    const shown = await api.admin.get('/sms-provider');
    expect(shown.body).toMatchObject({
      kind: 'twilio',
      fixed: 'SMS_PROVIDER',
      hasSecret: true,
      maxPerDay: 200,
    });
    expect(shown.text).not.toContain(twilio.authToken);
    expect(await api.admin.put('/sms-provider', settings({ from: 'Hotel' }))).toMatchObject({
      status: 409,
      body: { message: 'setting-fixed' },
    });
    expect((await api.admin.put('/sms-provider', settings({ maxPerDay: 5 }))).body).toMatchObject({
      ...{ fixed: 'SMS_PROVIDER', maxPerDay: 5, countryCode: '49', isComplete: true },
    });
  });
});
