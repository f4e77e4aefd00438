import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { withAdmin } from '../support/api.js';
import { startMailServer, startSilentServer, type MailServer } from '../support/mailServer.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { until } from '../support/until.js';

const password = 'Zwiebel "Lampe"/Fluss @47';
let server: MailServer;
/** One that wants a password, and repeats what it got when it is wrong. */
let strict: SMTPServer;
let strictPort: number;
let isBabbling = false;
beforeAll(async () => {
  plantSecrets([password]);
  server = await startMailServer();
  strict = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, callback) => {
      if (auth.username === 'wifi' && auth.password === password) callback(null, { user: 'wifi' });
      else
        callback(
          Object.assign(new Error(`5.7.8 no user ${String(auth.username)} with ${String(auth.password)}`), {
            responseCode: 535,
          }),
        );
    },
    onRcptTo: (_address, _session, callback) => {
      const text = `5.7.1 ${'x'.repeat(480)} ${password}`;
      if (isBabbling) callback(Object.assign(new Error(text), { responseCode: 550 }));
      else callback();
    },
    onData: (stream, _session, callback) => {
      stream.resume();
      stream.on('end', () => callback());
    },
  });
  strict.on('error', () => undefined);
  await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve));
  strictPort = (strict.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await server.stop();
  await new Promise<void>((resolve) => strict.close(() => resolve()));
});

const portOf = (url: string): number => Number(new URL(url).port);
const plain = (port: number) => ({
  host: '127.0.0.1',
  port,
  security: 'opportunistic',
  user: null,
  from: 'Hotel am See <wifi@example.org>',
});

describe('a mail server that is set up in the web UI', () => {
  const api = withAdmin();
  beforeEach(async () => {
    await api.admin.delete('/mail-server');
  });
  const test200 = async (settings: object) => {
    const answer = await api.admin.post('/mail-server/test', { to: 'anna@example.org', server: settings });
    expect(answer.status).toBe(200);
    return answer;
  };

  test('sends vouchers at once, without a restart', async () => {
    expect((await api.admin.get('/mail-server')).body).toMatchObject({ host: null, isComplete: false });
    expect((await api.admin.get('/desk')).body).toMatchObject({ hasEmail: false });
    const saved = await api.admin.put('/mail-server', plain(portOf(server.url)));
    expect(saved).toMatchObject({
      status: 200,
      body: { host: '127.0.0.1', hasPassword: false, fixedServer: null, fixedFrom: null, isComplete: true },
    });
    expect((await api.admin.get('/desk')).body).toMatchObject({ hasEmail: true });
    const place = await addSite(api.tables);
    await api.tables.vouchers.record(someRecord(place, { voucher: someVoucher({ code: '1234567890' }) }));
    const [voucher] = await api.tables.voucherSearch.byCode('1234567890');
    const email = { voucherId: voucher!.id, to: 'gast@example.org', language: 'de' };
    expect((await api.admin.put(`/emails/${randomUUID()}`, email)).status).toBe(200);
    await until('the e-mail', () => (server.mails.length > 0 ? true : undefined));
    expect(server.mails[0]).toMatchObject({ from: 'wifi@example.org', to: ['gast@example.org'] });
    expect((await api.admin.get('/audit?area=setting')).body).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ action: 'setting.mail', detail: { host: '127.0.0.1' } }),
      ]),
    });
    expect((await api.admin.delete('/mail-server')).status).toBe(204);
    expect((await api.admin.delete('/mail-server')).status).toBe(404);
    expect((await api.admin.get('/desk')).body).toMatchObject({ hasEmail: false });
  });

  test('keeps its password sealed, and sends it nowhere else', async () => {
    const settings = { ...plain(strictPort), user: 'wifi' };
    expect((await api.admin.put('/mail-server', { ...settings, password })).status).toBe(200);
    const shown = await api.admin.get('/mail-server');
    expect(shown.body).toMatchObject({ user: 'wifi', hasPassword: true, isComplete: true });
    expect(shown.text).not.toContain('Zwiebel');
    const [row] = await api.database.read('connections').select<{ sealed_secret: string }[]>();
    expect(row!.sealed_secret).toMatch(/^v2:/);
    expect(JSON.stringify(row)).not.toContain('Zwiebel');
    // The stored one is used for a test, and stays when something else is changed.
    expect((await test200(settings)).body).toEqual({ isSent: true, reason: null, answer: null });
    const renamed = await api.admin.put('/mail-server', { ...settings, from: 'other@example.org' });
    expect(renamed.body).toMatchObject({ hasPassword: true, from: 'other@example.org' });
    for (const other of [
      { port: strictPort + 1 },
      { host: 'localhost' },
      { user: 'root' },
      { security: 'tls' },
    ])
      for (const answer of [
        await api.admin.put('/mail-server', { ...settings, ...other }),
        await api.admin.post('/mail-server/test', { to: 'a@b.c', server: { ...settings, ...other } }),
      ])
        expect(answer).toMatchObject({ status: 409, body: { message: 'mail-password-required' } });
    expect((await api.admin.get('/mail-server')).body).toMatchObject({ port: strictPort, host: '127.0.0.1' });
    expect((await api.admin.put('/mail-server', { ...settings, user: null })).body).toMatchObject({
      hasPassword: false,
    });
  });

  test('the real answer of the server is shown, without the password that it repeats', async () => {
    const settings = { ...plain(strictPort), user: 'wifi', password: `${password}x` };
    const answer = await test200(settings);
    expect(answer.body).toMatchObject({
      isSent: false,
      reason: {
        de: 'der Mailserver nimmt die Zugangsdaten nicht an',
        en: 'the mail server refuses the credentials',
      },
      answer: '535 5.7.8 no user wifi with …',
    });
    expect(answer.text).not.toContain('Zwiebel');
    server.answer({ code: 550, text: '5.1.1 no such mailbox' });
    expect((await test200(plain(portOf(server.url)))).body).toMatchObject({
      isSent: false,
      answer: '550 5.1.1 no such mailbox',
    });
    server.answer(null);
    // Also after the sign-in, and where the answer is cut in the middle of the password.
    isBabbling = true;
    const repeated = await test200({ ...plain(strictPort), user: 'wifi', password });
    isBabbling = false;
    expect(repeated.body).toMatchObject({ isSent: false, answer: expect.stringContaining('5.7.1 xxx') });
    expect(repeated.text).not.toContain('Zwiebel');
  });

  test('a server that is not there, without TLS, or of no name is told in plain words', async () => {
    const refused = await test200(plain(1));
    expect(refused.body).toMatchObject({ isSent: false, answer: null });
    expect(refused.text).toContain('ECONNREFUSED');
    // It offers no STARTTLS, and nothing is sent without.
    const before = server.mails.length;
    for (const security of ['starttls', 'tls'])
      expect((await test200({ ...plain(portOf(server.url)), security })).body).toMatchObject({
        isSent: false,
      });
    expect(server.mails).toHaveLength(before);
    expect((await test200({ ...plain(25), host: 'mail.example.invalid' })).body).toMatchObject({
      isSent: false,
      reason: { en: 'the name of the mail server can not be resolved' },
    });
  });

  test('what is not valid is refused, and nothing changes', async () => {
    const cases: [string, object, number, string][] = [
      ['a host that is none', { host: 'mail server' }, 400, 'host-invalid'],
      ['a host with a path', { host: 'mail.example.org/x' }, 400, 'host-invalid'],
      [
        'the address where clouds hand out credentials',
        { host: '169.254.169.254' },
        409,
        'server-address-refused',
      ],
      ['a host of 64 KiB', { host: 'x'.repeat(7000) }, 400, 'host-invalid'],
      ['no port', { port: 0 }, 400, 'port-invalid'],
      ['a security that there is not', { security: 'ssl' }, 400, 'security-invalid'],
      ['a sender that is none', { from: 'Hotel' }, 400, 'sender-invalid'],
      ['a sender of two lines', { from: 'Hotel\r\nBcc: x@y.z <a@b.c>' }, 400, 'sender-invalid'],
      ['a user without a password', { user: 'wifi' }, 409, 'mail-password-required'],
    ];
    for (const [name, change, status, message] of cases) {
      const body = { ...plain(25), ...change };
      for (const answer of [
        await api.admin.put('/mail-server', body),
        await api.admin.post('/mail-server/test', { to: 'a@b.c', server: body }),
      ])
        expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
      expect((await api.admin.get('/mail-server')).body).toMatchObject({ host: null });
    }
  });
});

describe('what the environment sets', () => {
  const api = withAdmin({
    beforeStart: () => ({
      env: { SMTP_URL: `smtp://wifi:streng-vertraulich@127.0.0.1:${String(portOf(server.url))}` },
    }),
  });

  test('wins, and is shown as fixed; the sender can be set', async () => {
    plantSecrets(['streng-vertraulich']);
    const port = portOf(server.url);
    const fixed = { host: '127.0.0.1', port, security: 'opportunistic', user: 'wifi', hasPassword: true };
    expect((await api.admin.get('/mail-server')).body).toEqual({
      ...{ ...fixed, from: null, fixedServer: 'SMTP_URL', fixedFrom: null, isComplete: false },
    });
    const { hasPassword: _, ...settings } = { ...fixed, from: 'wifi@example.org' };
    expect(await api.admin.put('/mail-server', { ...settings, host: 'localhost' })).toMatchObject({
      status: 409,
      body: { message: 'setting-fixed' },
    });
    expect((await api.admin.put('/mail-server', settings)).body).toMatchObject({
      from: 'wifi@example.org',
      fixedServer: 'SMTP_URL',
      isComplete: true,
    });
    expect((await api.admin.get('/system')).text).not.toContain('streng-vertraulich');
  });
});

test('a server that says nothing ends the test after a while', async () => {
  const { makeTestMail } = await import('../../src/email/mailTest.js');
  const { nodeSystem } = await import('../../src/lib/system.js');
  const silent = await startSilentServer();
  const ms = 50;
  const timeouts = { greetingMs: ms, commandsMs: ms, transferMs: ms, confirmationMs: ms, stopMs: ms };
  const result = await makeTestMail(nodeSystem, timeouts)(
    { smtpUrl: silent.url, from: 'a@example.org' },
    'b@example.org',
    'en',
  );
  expect(result).toMatchObject({
    isSent: false,
    reason: { en: expect.stringMatching(/^the mail server accepts the connection, but does not greet: /) },
  });
  await silent.stop();
});
