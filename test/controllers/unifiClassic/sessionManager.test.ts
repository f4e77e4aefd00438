import { describe, expect, test } from '@jest/globals';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { makeClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { error, loginPaths, ok } from './scriptedConsole.js';
import { consolesOfTest, refusalOf, variants } from './testConsoles.js';

const { start, script, connect } = consolesOfTest();

describe('the variant', () => {
  test('is found out by one request for the first page, and kept', async () => {
    const console = await start({ variant: 'self-hosted' });
    const controller = connect(console);
    await controller.create(someOrder(), 1);
    console.endSessions();
    await controller.create(someOrder(), 1);
    expect(console.counts.byRoute).toMatchObject({ 'GET /': 1, 'POST login': 2 });
    expect(console.counts.byRoute).not.toHaveProperty('GET /manage');
  });

  testCases([
    [302, { location: '/manage' }, 'POST /api/login'],
    [302, { location: 'https://127.0.0.1:8443/manage/account/login?redirect=%2Fmanage' }, 'POST /api/login'],
    [200, {}, 'POST /api/auth/login'],
  ])('a first page tells how to sign in', async (status, headers, login) => {
    const console = await script({ first: () => ({ status, headers, body: '' }) });
    await collectVouchers(connect(console));
    expect(console.times(login)).toBe(1);
  });

  testCases([
    [302, { location: 'https://elsewhere.example/' }],
    [302, {}],
    [404, {}],
  ])('another first page is none of UniFi, and no password is sent', async (status, headers) => {
    const console = await script({ first: () => ({ status, headers, body: '' }) });
    const refusal = await refusalOf(connect(console).create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'unreadable' });
    expect(describeInGerman(refusal)).toBe(
      `Unter der Adresse des Controllers „Halle 3“ antwortet kein UniFi (Status ${status})`,
    );
    expect(console.asked.map(({ path }) => path)).toEqual(['/']);
  });

  test('is asked for again after a login that failed', async () => {
    let starting = true;
    const console = await script({
      login: () =>
        starting ? { body: '<html>starting' } : { ...ok(), headers: { 'set-cookie': ['unifises=a'] } },
    });
    const controller = connect(console);
    await expect(collectVouchers(controller)).rejects.toMatchObject({ code: 'unreadable' });
    starting = false;
    await collectVouchers(controller);
    expect(console.times('GET /')).toBe(2);
  });

  test('is asked for again when nothing is found under its path, and the order is repeated', async () => {
    let variant: 'self-hosted' | 'unifi-os' = 'self-hosted';
    const console = await script({
      first: () =>
        variant === 'unifi-os'
          ? { body: '<html>' }
          : { status: 302, headers: { location: '/manage' }, body: '' },
      api: ({ path }) => {
        const isThere = path.startsWith('/proxy/network') === (variant === 'unifi-os');
        return isThere ? ok() : { status: 404, body: '<html>not found' };
      },
    });
    const controller = connect(console);
    expect(await collectVouchers(controller)).toEqual([]);
    variant = 'unifi-os';
    expect(await collectVouchers(controller)).toEqual([]);
    expect(console.times('POST /api/auth/login')).toBe(1);
    expect(console.times('GET /')).toBe(2);
  });

  test('that stays the same leaves it at the 404, without another login', async () => {
    const console = await script({ api: () => ({ status: 404, body: '<html>not found' }) });
    const refusal = await refusalOf(connect(console).create(someOrder(), 1));
    expect(refusal).toMatchObject({ code: 'unreadable', failure: { status: 404 } });
    expect(console.times('POST /api/login')).toBe(1);
    expect(console.times('POST /api/s/default/cmd/hotspot')).toBe(1);
  });
});

describe.each(variants)('a login (%s)', (variant) => {
  test('is one, however many wait for it', async () => {
    const console = await start({ variant });
    const controller = connect(console);
    await Promise.all(Array.from({ length: 50 }, () => collectVouchers(controller)));
    expect(console.counts).toMatchObject({ logins: 1, refusedLogins: 0 });
  });

  test('that one of those who wait does without goes on for the others', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let reached = (): void => undefined;
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const console = await script({
      variant,
      login: async () => {
        reached();
        await asked;
        return { ...ok(), headers: { 'set-cookie': ['TOKEN=a'] } };
      },
    });
    const controller = connect(console);
    const abort = new AbortController();
    const left = refusalOf(controller.create(someOrder(), 1, abort.signal));
    const stayed = collectVouchers(controller);
    await isReached;
    abort.abort();
    expect(await left).toMatchObject({ name: 'ControllerError', code: 'timeout' });
    answer();
    expect(await stayed).toEqual([]);
    expect(console.times(loginPaths[variant])).toBe(1);
  });

  test('asks for a long session, and a self-hosted controller for a CSRF token', async () => {
    const console = await script({ variant });
    await collectVouchers(connect(console));
    const [login] = console.asked.filter(({ path }) => path.endsWith('/login'));
    const { username, password } = console;
    expect(login?.json).toEqual({
      username,
      password,
      rememberMe: true,
      ...(variant === 'self-hosted' && { strict: true }),
    });
  });

  test.each([false, true])('with a wrong password is refused (old firmware: %s)', async (legacyErrors) => {
    const clock = makeClock();
    const console = await start({ variant, legacyErrors, clock: clock.now });
    const values = { system: { ...nodeSystem, ...clock } };
    const controller = connect({ ...console, password: 'Falsch-123' }, values);
    const refusal = await refusalOf(controller.create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'credentials' });
    expect(describeInGerman(refusal)).toBe(
      'Der Controller „Halle 3“ hat Benutzer oder Passwort abgelehnt; neuer Versuch frühestens in 60 s',
    );
  });

  test('with a wrong password is not tried again for 60 seconds, except by a new adapter', async () => {
    const clock = makeClock();
    const console = await start({ variant, clock: clock.now });
    const values = { system: { ...nodeSystem, ...clock } };
    const controller = connect({ ...console, password: 'Falsch-123' }, values);
    await refusalOf(controller.create(someOrder(), 1));
    clock.advance(59_000);
    const refusal = await refusalOf(collectVouchers(controller));
    expect(refusal).toMatchObject({ code: 'credentials' });
    expect(describeInGerman(refusal)).toContain('in 1 s');
    expect(console.counts.refusedLogins).toBe(1);
    await collectVouchers(connect(console, values));
    clock.advance(2000);
    await refusalOf(collectVouchers(controller));
    expect(console.counts.refusedLogins).toBe(2);
  });

  test('that wants a second factor says what to do, and is not repeated', async () => {
    const console = await start({ variant, twoFactor: true });
    const controller = connect(console);
    const refusal = await refusalOf(controller.create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'two-factor' });
    expect(describeInGerman(refusal)).toContain('ein lokales Konto ohne zweiten Faktor');
    expect(describeInGerman(refusal)).toContain('Rolle Hotspot oder Administrator');
    expect(await refusalOf(collectVouchers(controller))).toMatchObject({ code: 'two-factor' });
    expect(console.counts.byRoute['POST login']).toBe(1);
  });

  test('that wants a second factor may say so by status 499 alone', async () => {
    const body = { data: { mfaCookie: 'UBIC_2FA=geheim' }, meta: {} };
    const console = await script({ variant, login: () => ({ status: 499, body }) });
    const refusal = await refusalOf(collectVouchers(connect(console)));
    expect(refusal).toMatchObject({ code: 'two-factor' });
    expect(describeInGerman(refusal)).not.toContain('geheim');
  });

  testCases([200, 400, 401, 403])('that wants a second factor may say so with any status', async (status) => {
    const console = await script({ variant, login: () => error(status, 'api.err.Ubic2faTokenRequired') });
    expect(await refusalOf(collectVouchers(connect(console)))).toMatchObject({ code: 'two-factor' });
  });

  testCases([200, 403, 502, 503])(
    'whose answer is no JSON comes too early: the controller is starting',
    async (status) => {
      const console = await script({ variant, login: () => ({ status, body: '<html>Please wait' }) });
      const refusal = await refusalOf(connect(console).create(someOrder(), 1));
      expect(refusal).toMatchObject({ name: 'ControllerError', code: 'unreadable' });
      expect(describeInGerman(refusal)).toContain('startet gerade');
    },
  );

  test('that is never answered makes nothing, for certain', async () => {
    const console = await script({ variant, login: () => new Promise(() => undefined) });
    const abort = new AbortController();
    const refused = refusalOf(connect(console).create(someOrder(), 1, abort.signal));
    await until('it is asked', () => console.times(loginPaths[variant]) === 1);
    abort.abort();
    const refusal = await refused;
    // Others might wait for the login, so it goes on.
    await console.stop();
    expect(refusal.name).toBe('ControllerError');
    expect(describeInGerman(refusal)).toContain('nicht rechtzeitig geantwortet');
  });

  test('that brings no cookie is none', async () => {
    const console = await script({ variant, login: () => ok() });
    expect(await refusalOf(collectVouchers(connect(console)))).toMatchObject({ code: 'unreadable' });
  });
});

describe('a throttled login', () => {
  test('is not tried again for 60 seconds, in which every call fails at once and says how many are left', async () => {
    const clock = makeClock();
    const console = await start({ clock: clock.now, loginLimit: 1 });
    const values = { system: { ...nodeSystem, ...clock } };
    await collectVouchers(connect(console, values));
    const controller = connect(console, values);
    const first = await refusalOf(controller.create(someOrder(), 1));
    expect(first).toMatchObject({ name: 'ControllerError', code: 'locked-out' });
    expect(describeInGerman(first)).toContain('neuer Versuch in 60 s');

    clock.advance(59_000);
    const later = await refusalOf(controller.create(someOrder(), 1));
    expect(later).toMatchObject({ code: 'locked-out' });
    expect(describeInGerman(later)).toContain('neuer Versuch in 1 s');
    expect(await refusalOf(collectVouchers(controller))).toMatchObject({ code: 'locked-out' });
    expect(await refusalOf(controller.revoke(null, 'a'))).toMatchObject({ code: 'locked-out' });
    expect(console.counts.refusedLogins).toBe(1);

    clock.advance(2000);
    expect(await controller.create(someOrder(), 1)).toHaveLength(1);
    expect(console.counts).toMatchObject({ logins: 2, refusedLogins: 1 });
  });

  test('waits for longer when the controller says so', async () => {
    const clock = makeClock();
    const console = await script({
      variant: 'unifi-os',
      login: () => ({ status: 429, headers: { 'retry-after': '180' }, body: {} }),
    });
    const controller = connect(console, { system: { ...nodeSystem, ...clock } });
    await refusalOf(collectVouchers(controller));
    clock.advance(179_000);
    expect(await refusalOf(collectVouchers(controller))).toMatchObject({ code: 'locked-out' });
    expect(console.times('POST /api/auth/login')).toBe(1);
    clock.advance(2000);
    await refusalOf(collectVouchers(controller));
    expect(console.times('POST /api/auth/login')).toBe(2);
  });

  test('does not last for ever when the clock is put back', async () => {
    const clock = makeClock();
    const console = await script({ variant: 'unifi-os', login: () => ({ status: 429, body: {} }) });
    const controller = connect(console, { system: { ...nodeSystem, ...clock } });
    await refusalOf(collectVouchers(controller));
    clock.advance(-3_600_000);
    await refusalOf(collectVouchers(controller));
    expect(console.times('POST /api/auth/login')).toBe(2);
  });

  test('leaves a session that there is alone', async () => {
    const clock = makeClock();
    const console = await start({ clock: clock.now, loginLimit: 1 });
    const values = { system: { ...nodeSystem, ...clock } };
    const controller = connect(console, values);
    await collectVouchers(controller);
    await refusalOf(collectVouchers(connect(console, values)));
    expect(await controller.create(someOrder(), 1)).toHaveLength(1);
  });
});
