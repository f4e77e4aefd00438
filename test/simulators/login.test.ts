import { afterEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleOptions } from '../../simulators/unifi/settings.js';
import { claimsOf, cookieOf, makeConsoleClient, type Answer } from './consoleClient.js';

let running: UnifiConsole;
let now = 0;
afterEach(() => running.stop());

const start = async (options: ConsoleOptions) => {
  now = Date.UTC(2026, 0, 2, 10);
  running = await startUnifiConsole({ clock: () => now, ...options });
  const ask = makeConsoleClient(running);
  const { username, password } = running;
  const path = options.variant === 'self-hosted' ? '/api/login' : '/api/auth/login';
  return {
    ask,
    login: (values = {}): Promise<Answer> => ask('POST', path, { username, password, ...values }),
  };
};

const create = { cmd: 'create-voucher', n: 1, quota: 1, expire: 480 };
const hotspot = '/proxy/network/api/s/default/cmd/hotspot';
const listing = '/proxy/network/api/s/default/stat/voucher';

describe('UniFi OS', () => {
  test('answers a login with the user, without an envelope, and a JWT that names its end', async () => {
    const { login } = await start({ sessionTtlMs: 7_200_000 });
    const { status, json, headers } = await login();
    expect(status).toBe(200);
    expect(json).toMatchObject({ username: running.username, status: 'ACTIVE' });
    expect(json).not.toHaveProperty('meta');
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^TOKEN=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict; Partitioned$/),
    ]);
    const second = now / 1000;
    expect(claimsOf(cookieOf(headers))).toMatchObject({
      csrfToken: headers['x-csrf-token'],
      iat: second,
      exp: second + 7200,
    });
  });

  test('refuses wrong credentials with 403 and a code, on old firmware with 401 and errors', async () => {
    const { login } = await start({});
    const refused = await login({ password: 'wrong' });
    expect([refused.status, refused.json]).toEqual([
      403,
      {
        code: 'AUTHENTICATION_FAILED_INVALID_CREDENTIALS',
        message: 'Invalid username or password',
        level: 'debug',
      },
    ]);
    await running.stop();
    const old = await (await start({ legacyErrors: true })).login({ password: 'wrong' });
    expect([old.status, old.json]).toEqual([401, { errors: ['Invalid username or password'] }]);
  });

  test('refuses the sixth login of a minute, successful ones included, and takes it a minute later', async () => {
    const { login } = await start({});
    for (const password of ['wrong', undefined, 'wrong', undefined, undefined]) {
      now += 1000;
      await login(password === undefined ? {} : { password });
    }
    const sixth = await login();
    expect([sixth.status, sixth.json.code]).toEqual([429, 'AUTHENTICATION_FAILED_LIMIT_REACHED']);
    expect(sixth.headers).not.toHaveProperty('retry-after');
    expect(running.counts).toMatchObject({ logins: 3, refusedLogins: 3 });
    now += 55_999;
    expect((await login()).status).toBe(429);
    now += 1;
    expect((await login()).status).toBe(200);
  });

  test('asks for a second factor with 499 and a cookie, and takes it in "token"', async () => {
    const { login } = await start({ twoFactor: true });
    const asked = await login();
    expect(asked.status).toBe(499);
    expect(asked.json.data.mfaCookie).toMatch(/^UBIC_2FA=./);
    expect(asked.headers).not.toHaveProperty('set-cookie');
    expect((await login({ token: '000000' })).status).toBe(499);
    expect((await login({ token: '123456' })).status).toBe(200);
  });

  const tokenFrom = {
    header: ({ headers }: Answer) => headers['x-csrf-token'],
    'updated-header': ({ headers }: Answer) => headers['x-updated-csrf-token'],
    jwt: ({ headers }: Answer) => claimsOf(cookieOf(headers))['csrfToken'],
  };

  test.each(['header', 'updated-header', 'jwt'] as const)(
    'requires the CSRF token that it sent by %s',
    async (csrf) => {
      const { ask, login } = await start({ csrf });
      const answer = await login();
      for (const [place, read] of Object.entries(tokenFrom).slice(0, 2)) {
        expect(read(answer) !== undefined).toBe(place === csrf);
      }
      const cookie = cookieOf(answer.headers);
      for (const headers of [{ cookie }, { cookie, 'x-csrf-token': 'stale' }]) {
        const refused = await ask('POST', hotspot, create, headers);
        expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Invalid CSRF Token')]);
      }
      expect((await ask('GET', listing, undefined, { cookie })).status).toBe(200);
      const headers = { cookie, 'x-csrf-token': tokenFrom[csrf](answer) as string };
      expect((await ask('POST', hotspot, create, headers)).status).toBe(200);
      expect(running.vouchers()).toHaveLength(1);
    },
  );

  test('changes the CSRF token with a write and tells the new one by x-updated-csrf-token', async () => {
    const { ask, login } = await start({ csrf: 'updated-header' });
    const { headers } = await login();
    const cookie = cookieOf(headers);
    const first = headers['x-updated-csrf-token'] as string;
    const created = await ask('POST', hotspot, create, { cookie, 'x-csrf-token': first });
    const second = created.headers['x-updated-csrf-token'] as string;
    expect(second).not.toBe(first);
    expect((await ask('POST', hotspot, create, { cookie, 'x-csrf-token': first })).status).toBe(403);
    const read = await ask('GET', listing, undefined, { cookie });
    expect(read.headers['x-updated-csrf-token']).toBe(second);
    expect((await ask('POST', hotspot, create, { cookie, 'x-csrf-token': second })).status).toBe(200);
  });
});

describe('a self-hosted console', () => {
  test('answers a login with an empty envelope, an opaque cookie and, with strict, a CSRF cookie', async () => {
    const { login } = await start({ variant: 'self-hosted' });
    const plain = await login();
    expect([plain.status, plain.json]).toEqual([200, { meta: { rc: 'ok' }, data: [] }]);
    expect(cookieOf(plain.headers)).toMatch(/^unifises=[\w-]+$/);
    expect(cookieOf((await login({ strict: true })).headers)).toMatch(/^unifises=[\w-]+; csrf_token=[\w-]+$/);
  });

  test('knows no limit of logins', async () => {
    const { login } = await start({ variant: 'self-hosted', loginLimit: 1 });
    for (const _again of [1, 2, 3]) expect((await login()).status).toBe(200);
    expect(running.counts.logins).toBe(3);
  });

  test('refuses wrong credentials with api.err.Invalid', async () => {
    const { login } = await start({ variant: 'self-hosted' });
    const { status, json, headers } = await login({ username: 'somebody' });
    expect([status, json.meta]).toEqual([400, { rc: 'error', msg: 'api.err.Invalid' }]);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('asks for a second factor with status 200, and takes it in "ubic_2fa_token"', async () => {
    const { login } = await start({ variant: 'self-hosted', twoFactor: true });
    const { status, json, headers } = await login();
    expect([status, json.meta]).toEqual([200, { rc: 'error', msg: 'api.err.Ubic2faTokenRequired' }]);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(running.counts).toMatchObject({ logins: 0, refusedLogins: 1 });
    expect((await login({ ubic_2fa_token: '123456' })).json.meta).toEqual({ rc: 'ok' });
  });
});

test('everything secret that was handed out is among the tokens', async () => {
  const { ask, login } = await start({ csrf: 'updated-header' });
  const { headers } = await login();
  const cookie = cookieOf(headers);
  const token = headers['x-updated-csrf-token'] as string;
  const created = await ask('POST', hotspot, create, { cookie, 'x-csrf-token': token });
  expect(running.tokens).toEqual(
    expect.arrayContaining([cookie.replace('TOKEN=', ''), token, created.headers['x-updated-csrf-token']]),
  );
});
