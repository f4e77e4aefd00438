import { describe, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { run } from '../support/cli.js';
import { forAllTests } from '../support/fixture.js';
import { mailPart } from '../support/mailParts.js';
import { startMailServer } from '../support/mailServer.js';
import { redPng } from '../support/pictures.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { until } from '../support/until.js';
import { adminPassword, cookieOf, makeBrowser, signIn } from '../support/web.js';

const publicUrl = 'https://vouchers.example.org/hotel';
const newPassword = 'Lampe Fluss Zwiebel 7';
const server = forAllTests(startMailServer, 'stop');

const api = withAdmin({
  beforeStart: () => ({
    env: {
      SMTP_URL: server.url,
      MAIL_FROM: 'wifi@example.org',
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '127.0.0.1',
    },
  }),
});

const mailsTo = (to: string) => server.mails.filter((mail) => mail.to.includes(to));
/** Waits until somebody has got so many e-mails, and returns the text of the last. */
const mailTo = async (to: string, count = 1): Promise<string> => {
  await until(`e-mail ${String(count)} to ${to}`, () => (mailsTo(to).length >= count ? true : undefined));
  expect(mailsTo(to)).toHaveLength(count);
  return mailPart(mailsTo(to)[count - 1]!.raw, 'text/plain').toString();
};
const tokenIn = (text: string): string => {
  const [, token = ''] =
    /^https:\/\/vouchers\.example\.org\/hotel\/set-password#token=([\w-]{43})\r?$/m.exec(text) ?? [];
  expect(token).not.toBe('');
  plantSecrets([token]);
  return token;
};
const visitor = () => makeBrowser(api);
const choose = (token: string, password = newPassword) =>
  visitor().post('/password-resets', { token, password });
/** From an address of its own, so that limits by address do not meet. */
const forget = (login: string, address = `198.51.100.${String((requests += 1))}`) =>
  visitor().request('POST', '/password-reset-requests', {
    body: { login },
    headers: { 'X-Forwarded-For': address },
  });
let requests = 0;

let count = 0;
const addUser = async (values: object = {}) => {
  count += 1;
  const email = `user${String(count)}@example.org`;
  const body = { name: `User ${String(count)}`, email, role: 'staff', language: 'en', ...values };
  const created = await api.admin.post('/users', body);
  expect(created.status).toBe(201);
  const { user, password } = created.body as { user: { id: number; name: string }; password: string };
  return { ...user, email, password, path: `/users/${String(user.id)}` };
};
/** With a password of their own, in a browser that is known. */
const addActive = async (values: object = {}) => {
  const user = await addUser(values);
  const first = await signIn(api, user.name, user.password);
  const changed = await first.put('/account/password', { password: adminPassword });
  return { ...user, browser: makeBrowser(api, cookieOf(changed)) };
};

describe('a forgotten password', () => {
  test('is replaced by the link of an e-mail, once, and all sessions end', async () => {
    const user = await addActive();
    expect((await visitor().get('/start')).body).toMatchObject({ canResetPassword: true });
    const asked = await visitor().request('POST', '/password-reset-requests', {
      body: { login: user.name.toUpperCase() },
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    });
    expect([asked.status, asked.text]).toEqual([204, '']);
    const token = tokenIn(await mailTo(user.email));
    expect(JSON.stringify(await api.database.read('account_tokens').select())).not.toContain(token);
    expect(JSON.stringify(await api.database.read('outbox').select())).not.toContain(token);
    expect(await choose(token, 'kurz')).toMatchObject({ status: 409, body: { message: 'password-short' } });
    expect((await choose(token)).status).toBe(204);
    expect((await user.browser.get('/session')).status).toBe(401);
    const used = await choose(token, 'another horse battery 48');
    expect(used).toMatchObject({ status: 409, body: { message: 'token-refused' } });
    // Who it belongs to is told of the change.
    expect(await mailTo(user.email, 2)).toContain('The password of your account was changed');
    await signIn(api, user.email, newPassword);
  });

  test('gets the same answer for somebody unknown, disabled or without an address, and no e-mail', async () => {
    const known = await addActive();
    const disabled = await addActive();
    await api.admin.patch(disabled.path, { isDisabled: true });
    const without = await addUser({ email: null });
    const answers = [];
    for (const login of [known.email, 'nobody@example.org', disabled.email, without.name, 'x'.repeat(254)])
      answers.push(await forget(login));
    for (const { status, text } of answers) expect([status, text]).toEqual([204, '']);
    await mailTo(known.email);
    expect(await mailTo(disabled.email)).toContain('Your account was disabled');
    expect(server.mails.flatMap(({ to }) => to)).not.toContain('nobody@example.org');
  });

  test('a link is not valid after an hour, after another one, after a change of the address, or for somebody disabled', async () => {
    const user = await addActive();
    await forget(user.email);
    const first = tokenIn(await mailTo(user.email));
    await forget(user.email);
    const second = tokenIn(await mailTo(user.email, 2));
    const refused = { status: 409, body: { message: 'token-refused' } };
    expect(await choose(first)).toMatchObject(refused);
    await api.database
      .write('account_tokens')
      .where({ user_id: user.id })
      .update({ expires_at: api.app.now() });
    expect(await choose(second)).toMatchObject(refused);
    const later = await addActive();
    await forget(later.email);
    const token = tokenIn(await mailTo(later.email));
    await api.admin.patch(later.path, { email: 'elsewhere@example.org' });
    expect(await choose(token)).toMatchObject(refused);
    expect(await mailTo(later.email, 2)).toContain('another e-mail address now');
    expect((await choose('x'.repeat(43))).body).toMatchObject({ message: 'token-refused' });
    expect((await choose('x'.repeat(7000))).status).toBe(400);
  });

  test('a second factor stays', async () => {
    const user = await addActive();
    await api.tables.users.change(user.id, () => ({
      values: { sealedTotpSecret: 'v2:x' },
      endsSessions: false,
      audit: null,
    }));
    await forget(user.email);
    expect((await choose(tokenIn(await mailTo(user.email)))).status).toBe(204);
    const answer = await visitor().post('/session', { login: user.email, password: newPassword });
    expect(answer.body).toEqual({ outcome: 'code-required' });
  });

  test('somebody who only uses single sign-on is told so', async () => {
    const user = await addActive();
    await api.tables.users.change(user.id, () => ({
      values: { passwordHash: null },
      endsSessions: false,
      audit: null,
    }));
    await forget(user.name);
    const text = await mailTo(user.email);
    expect(text).toContain('identity provider');
    expect(text).not.toContain('#token=');
  });

  test('an account gets three links in an hour, whatever is entered', async () => {
    const user = await addActive();
    for (let round = 0; round < 5; round += 1)
      for (const login of [user.name, user.email]) expect((await forget(login)).status).toBe(204);
    await mailTo(user.email, 3);
  });

  test('an address may ask twenty times in an hour', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1)
      statuses.add((await forget(`nobody ${String(round)}`, '203.0.113.7')).status);
    expect([...statuses]).toEqual([204]);
    const refused = await forget('nobody', '203.0.113.7');
    expect(refused).toMatchObject({ status: 429, body: { message: 'too-many-attempts' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await forget('nobody', '203.0.113.8')).status).toBe(204);
  });
});

describe('an invitation', () => {
  test('lets somebody new choose a password, is sent again, and ends with the user', async () => {
    const user = await addUser({ invite: true, name: 'Mira <b>Öz</b> & "Söhne"' });
    expect(user.password).toBeNull();
    const first = tokenIn(await mailTo(user.email));
    const { raw } = mailsTo(user.email)[0]!;
    const html = mailPart(raw, 'text/html').toString();
    expect(html).toContain('Mira &lt;b&gt;Öz&lt;/b&gt; &amp; &quot;Söhne&quot;');
    expect(html).not.toContain('<b>');
    expect((await api.admin.post(`${user.path}/invitation`)).status).toBe(204);
    const second = tokenIn(await mailTo(user.email, 2));
    expect((await choose(first)).status).toBe(409);
    expect((await choose(second)).status).toBe(204);
    await signIn(api, user.email, newPassword);
    expect(await api.admin.post(`${user.path}/invitation`)).toMatchObject({
      status: 409,
      body: { message: 'already-signed-in' },
    });
    // A request for a new password, which anybody may send, does not end an invitation sooner.
    const invited = await addUser({ invite: true });
    await mailTo(invited.email);
    await forget(invited.name);
    tokenIn(await mailTo(invited.email, 2));
    const [stored] = await api.database
      .read('account_tokens')
      .where({ user_id: invited.id })
      .select<{ expires_at: number }[]>('expires_at');
    expect(stored!.expires_at).toBeGreaterThan(Date.now() + 2 * 86_400_000);
    // Somebody who signs in by a provider has no password to choose.
    const external = await addUser({ invite: true });
    const unused = tokenIn(await mailTo(external.email));
    await api.tables.users.change(external.id, () => ({
      values: { passwordHash: null, passwordIsTemporary: false },
      endsSessions: false,
      audit: null,
    }));
    expect((await choose(unused)).status).toBe(409);
    const gone = await addUser({ invite: true });
    const token = tokenIn(await mailTo(gone.email));
    expect((await api.admin.delete(gone.path)).status).toBe(204);
    expect((await choose(token)).status).toBe(409);
  });

  test('has the title, the colour and the logo of the web UI, and without any its own', async () => {
    const plain = await addUser({ invite: true });
    await mailTo(plain.email);
    expect(mailsTo(plain.email)[0]!.raw).toContain('Subject: Your access to voucherd');
    const branding = {
      title: 'Hotel <i>am See</i>',
      colour: '#ffff00',
      logo: redPng(60, 20).toString('base64'),
    };
    expect((await api.admin.put('/branding', branding)).status).toBe(200);
    const user = await addUser({ invite: true });
    const text = await mailTo(user.email);
    tokenIn(text);
    expect(text).toContain('Hotel <i>am See</i>');
    const { raw } = mailsTo(user.email)[0]!;
    expect(raw).toContain('Subject: Your access to Hotel <i>am See</i>');
    const html = mailPart(raw, 'text/html').toString();
    expect(html).toContain('<img src="cid:logo@voucherd" alt="Hotel &lt;i&gt;am See&lt;/i&gt;"');
    expect(html).not.toContain('<i>');
    expect(html).toMatch(/<a href="[^"]+" style="color:#[0-9a-f]{6}">/);
    expect(mailPart(raw, 'image/png').subarray(1, 4).toString()).toBe('PNG');
    await api.admin.put('/branding', { title: null, colour: null, logo: null, icon: null });
  });

  test('is sent to one address ten times in an hour at most, and a refused one creates nobody', async () => {
    const user = await addUser({ invite: true });
    for (let sent = 1; sent < 10; sent += 1)
      expect((await api.admin.post(`${user.path}/invitation`)).status).toBe(204);
    const limited = { status: 429, body: { message: 'email-limit' } };
    const refused = await api.admin.post(`${user.path}/invitation`);
    expect(refused).toMatchObject(limited);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await api.admin.delete(user.path)).status).toBe(204);
    const again = { name: 'Noch einmal', email: user.email, role: 'staff', invite: true };
    expect(await api.admin.post('/users', again)).toMatchObject(limited);
    expect((await api.admin.get('/users')).text).not.toContain('Noch einmal');
    // Without an e-mail there is no limit, and a user that can't be created counts for nothing.
    expect((await api.admin.post('/users', { ...again, invite: false })).status).toBe(201);
    const other = { ...again, email: 'neu@example.org' };
    for (let tried = 0; tried < 11; tried += 1)
      expect((await api.admin.post('/users', other)).status).toBe(409);
    expect((await api.admin.post('/users', { ...other, name: 'Ganz neu' })).status).toBe(201);
  });

  test('without an address nobody is created', async () => {
    const body = { name: 'Ohne Adresse', role: 'staff', invite: true };
    expect(await api.admin.post('/users', body)).toMatchObject({
      status: 409,
      body: { message: 'invitation-impossible' },
    });
    expect((await api.admin.get('/users')).text).not.toContain('Ohne Adresse');
  });
});

describe('notices', () => {
  test('of a new browser come once for each, and not for the first sign-in', async () => {
    const user = await addActive({ language: 'de' });
    const login = { login: user.name, password: adminPassword };
    const headers = { 'User-Agent': '<script>alert(1)</script>' };
    const first = await visitor().request('POST', '/session', { body: login, headers });
    expect(first.status).toBe(200);
    const text = await mailTo(user.email);
    expect(text).toContain('von einem Browser angemeldet, der hier noch nicht bekannt war');
    expect(text).toContain('Adresse: 127.0.0.1');
    expect(mailPart(mailsTo(user.email)[0]!.raw, 'text/html').toString()).not.toContain('<script');
    // The browser is known now.
    const [, known = ''] = (first.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
    expect((await makeBrowser(api, known).post('/session', login)).status).toBe(200);
    await api.admin.patch(user.path, { role: 'viewer' });
    expect(await mailTo(user.email, 2)).toContain('Ihre Rolle ist jetzt: Lesezugriff');
  });

  test('of changed sites, passwords and second factors', async () => {
    const siteId = await api.addSite();
    const user = await addActive();
    await api.admin.patch(user.path, { siteIds: [siteId] });
    expect(await mailTo(user.email)).toContain('The sites that you see were changed');
    // The same sites again, and another name, are nothing to be told.
    const same = { siteIds: [siteId, siteId], name: `${user.name} Neu` };
    expect((await api.admin.patch(user.path, same)).status).toBe(200);
    await api.admin.post(`${user.path}/password`);
    expect(await mailTo(user.email, 2)).toContain('The password of your account was changed');
    await api.tables.users.change(user.id, () => ({
      values: { sealedTotpSecret: 'v2:x' },
      endsSessions: false,
      audit: null,
    }));
    await api.admin.delete(`${user.path}/second-factor`);
    expect(await mailTo(user.email, 3)).toContain('The second factor of your account was removed');
  });

  test('of an account that is disabled and enabled, and then of nothing else', async () => {
    const siteId = await api.addSite();
    const user = await addActive({ language: 'de' });
    await api.admin.patch(user.path, { isDisabled: true, role: 'viewer', siteIds: [siteId] });
    expect(await mailTo(user.email)).toContain('Ihr Konto wurde gesperrt');
    await api.admin.patch(user.path, { role: 'staff' });
    await api.admin.patch(user.path, { isDisabled: false });
    expect(await mailTo(user.email, 2)).toContain('Ihr Konto wurde entsperrt');
  });

  test('come of changes by the command line, too, from the service', async () => {
    const siteId = String(await api.addSite());
    const user = await addActive();
    const env = { DATA_DIR: api.dataDir, SMTP_URL: server.url, MAIL_FROM: 'wifi@example.org' };
    const voucherd = async (...argv: string[]): Promise<void> => {
      expect(await run(['user', ...argv], env)).toMatchObject({ status: 0, err: '' });
    };
    await voucherd('sites', user.name, siteId);
    expect(await mailTo(user.email)).toContain('The sites that you see were changed');
    // Nothing has changed.
    await voucherd('sites', user.name, siteId);
    await voucherd('role', user.name, 'staff');
    await voucherd('enable', user.name);
    await voucherd('role', user.name, 'viewer');
    expect(await mailTo(user.email, 2)).toContain('Your role is now: viewer');
    await voucherd('disable', user.name);
    expect(await mailTo(user.email, 3)).toContain('Your account was disabled');
    await voucherd('sites', user.name, '--none');
    await voucherd('enable', user.name);
    expect(await mailTo(user.email, 4)).toContain('Your account was enabled');
    await voucherd('reset-password', user.name, '--generate');
    expect(await mailTo(user.email, 5)).toContain('The password of your account was changed');
  });

  test('do not hold up a sign-in when the mail server says nothing', async () => {
    const release = server.holdConfirmations();
    const user = await addActive();
    expect((await visitor().post('/session', { login: user.name, password: adminPassword })).status).toBe(
      200,
    );
    release();
    await mailTo(user.email);
  });
});
