import { describe, expect, test } from '@jest/globals';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { makeClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { error, loginPaths, ok, type Said } from './scriptedConsole.js';
import { connectTo, consolesOfTest, refusalOf, variants } from './testConsoles.js';

const { start, script, connect } = consolesOfTest();

const hotspot = 'POST /api/s/default/cmd/hotspot';

describe.each(variants)('a session that has ended (%s)', (variant) => {
  test.each([false, true])('is followed by one new login (old firmware: %s)', async (legacyErrors) => {
    const console = await start({ variant, legacyErrors });
    const controller = connect(console);
    const [first] = await controller.create(someOrder(), 1);
    console.endSessions();
    const [second] = await controller.create(someOrder(), 1);
    console.endSessions();
    expect(await collectVouchers(controller)).toEqual(expect.arrayContaining([first, second]));
    console.endSessions();
    await controller.revoke(null, first!.id!);
    expect(console.vouchers()).toHaveLength(1);
    expect(console.counts.logins).toBe(4);
  });

  test('is followed by one new login, however many were at work in it', async () => {
    const console = await start({ variant });
    const controller = connect(console);
    await collectVouchers(controller);
    console.endSessions();
    const made = await Promise.all(Array.from({ length: 50 }, () => controller.create(someOrder(), 1)));
    expect(new Set(made.flat().map(({ code }) => code)).size).toBe(50);
    expect(console.vouchers()).toHaveLength(50);
    expect(console.counts.logins).toBe(2);
  });

  testCases<[string, Said]>([
    ['401 without a word', { status: 401, body: '' }],
    ['401 of UniFi OS', { status: 401, body: { error: { code: 401, message: 'Unauthorized' } } }],
    ['200 of UniFi OS', { status: 200, body: { error: { code: 401, message: 'Unauthorized' } } }],
    ['401 of UniFi Network', error(401, 'api.err.LoginRequired')],
    ['200 of UniFi Network', error(200, 'api.err.LoginRequired')],
  ])('may say so in several ways', async (_, said) => {
    let refusals = 1;
    const console = await script({ variant, api: () => (refusals-- > 0 ? said : ok()) });
    const controller = connect(console);
    expect(await collectVouchers(controller)).toEqual([]);
    refusals = 1;
    await controller.revoke(null, 'a');
    expect(console.times(loginPaths[variant])).toBe(3);
  });

  test('is repeated once, and not again when the new one has ended, too', async () => {
    const console = await script({ variant, api: () => error(401, 'api.err.LoginRequired') });
    const controller = connect(console);
    const refusal = await refusalOf(controller.create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'refused' });
    expect(describeInGerman(refusal)).toContain('verlangt gleich nach der Anmeldung eine neue');
    const orders = console.asked.filter(({ path }) => path.endsWith('/cmd/hotspot'));
    expect(orders).toHaveLength(2);
    expect(console.times(loginPaths[variant])).toBe(2);
    expect(await refusalOf(collectVouchers(controller))).toMatchObject({ code: 'refused' });
  });
});

test('whoever learns late that an old session has ended does not end the new one', async () => {
  // The first order is answered only when the second one has signed in again.
  let answerFirst = (): void => undefined;
  const firstMayGo = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  let orders = 0;
  const console = await script({
    api: async ({ headers, path }) => {
      if (!path.endsWith('/cmd/hotspot') || headers['cookie'] !== 'unifises=session-1') return ok();
      orders += 1;
      if (orders === 1) await firstMayGo;
      return error(401, 'api.err.LoginRequired');
    },
  });
  const controller = connect(console);
  const first = controller.revoke(null, 'first');
  await until('the first is under way', () => console.times(hotspot) === 1);
  await controller.revoke(null, 'second');
  answerFirst();
  await first;
  expect(console.times('POST /api/login')).toBe(2);
  await controller.revoke(null, 'third');
  expect(console.asked.at(-1)?.headers['cookie']).toBe('unifises=session-2');
  expect(console.times('POST /api/login')).toBe(2);
});

describe('a session of UniFi OS', () => {
  test('is renewed when less than two minutes of it are left, and not before', async () => {
    const clock = makeClock();
    const console = await start({ clock: clock.now, sessionTtlMs: 7_200_000 });
    const controller = connect(console, { system: { ...nodeSystem, ...clock } });
    await collectVouchers(controller);
    clock.advance(7_200_000 - 121_000);
    await collectVouchers(controller);
    expect(console.counts.logins).toBe(1);
    clock.advance(2000);
    await collectVouchers(controller);
    expect(console.counts.logins).toBe(2);
    expect(console.counts.byRoute['GET stat/voucher']).toBe(3);
  });

  test('lasts as long when the clock of the controller is hours off', async () => {
    const clock = makeClock();
    const console = await start({ clock: () => clock.now() - 5 * 3_600_000 });
    const controller = connect(console, { system: { ...nodeSystem, ...clock } });
    await collectVouchers(controller);
    await collectVouchers(controller);
    expect(console.counts.logins).toBe(1);
    clock.advance(7_200_000 - 119_000);
    await collectVouchers(controller);
    expect(console.counts.logins).toBe(2);
  });

  test('that never lasts two minutes is used until it has ended', async () => {
    const clock = makeClock();
    const console = await start({ clock: clock.now, sessionTtlMs: 60_000 });
    const controller = connect(console, { system: { ...nodeSystem, ...clock } });
    await collectVouchers(controller);
    clock.advance(59_000);
    await collectVouchers(controller);
    expect(console.counts.logins).toBe(1);
    clock.advance(2000);
    await collectVouchers(controller);
    expect(console.counts.logins).toBe(2);
  });
});

describe('the CSRF token', () => {
  testCases(['header', 'updated-header', 'jwt', 'none'] as const)(
    'is taken from where UniFi OS tells it',
    async (csrf) => {
      const console = await start({ csrf });
      const controller = connect(console);
      const [made] = await controller.create(someOrder(), 1);
      await controller.revoke(null, made!.id!);
      expect(console.vouchers()).toEqual([]);
      // Create, read, revoke, and nothing twice.
      expect(console.counts).toMatchObject({ calls: 3, logins: 1 });
    },
  );

  test('is replaced by every answer that has another', async () => {
    const console = await start({ csrf: 'updated-header' });
    const controller = connect(console);
    for (let order = 0; order < 5; order += 1) await controller.create(someOrder(), 1);
    expect(console.counts).toMatchObject({ calls: 10, logins: 1 });
  });

  testCases([
    [{ 'x-updated-csrf-token': 'updated', 'x-csrf-token': 'plain' }, 'updated'],
    [{ 'x-csrf-token': 'plain' }, 'plain'],
    [{}, 'of-the-cookie'],
  ])('of an answer is that of its headers or its cookie', async (headers, token) => {
    const claims = Buffer.from(JSON.stringify({ csrfToken: 'of-the-cookie' })).toString('base64url');
    const console = await script({
      variant: 'unifi-os',
      login: () => ({
        body: {},
        headers: { ...headers, 'set-cookie': [`TOKEN=e30.${claims}.c2ln; Path=/`] },
      }),
    });
    const controller = connect(console);
    await controller.revoke(null, 'a');
    expect(console.asked.at(-1)?.headers['x-csrf-token']).toBe(token);
    await collectVouchers(controller);
    expect(console.asked.at(-1)?.headers['x-csrf-token']).toBeUndefined();
  });

  test('of a self-hosted controller is a cookie, and goes back as a header, too', async () => {
    const console = await script({
      login: () => ({ ...ok(), headers: { 'set-cookie': ['unifises=a; Path=/', 'csrf_token=b; Path=/'] } }),
    });
    await connect(console).revoke(null, 'a');
    expect(console.asked.at(-1)?.headers).toMatchObject({
      cookie: 'unifises=a; csrf_token=b',
      'x-csrf-token': 'b',
    });
  });

  test('that is refused with a new one is replaced without a login', async () => {
    const console = await script({
      variant: 'unifi-os',
      api: ({ headers }) =>
        headers['x-csrf-token'] === 'new'
          ? ok()
          : {
              status: 403,
              headers: { 'x-updated-csrf-token': 'new' },
              body: { error: { code: 403, message: 'Invalid CSRF Token' } },
            },
    });
    await connect(console).revoke(null, 'a');
    expect(console.times('POST /proxy/network/api/s/default/cmd/hotspot')).toBe(2);
    expect(console.times('POST /api/auth/login')).toBe(1);
  });

  test('that is refused without a new one is replaced by a login, once', async () => {
    let logins = 0;
    const console = await script({
      variant: 'unifi-os',
      login: () => ({
        body: {},
        headers: { 'set-cookie': ['TOKEN=a'], 'x-csrf-token': `token-${(logins += 1)}` },
      }),
      api: ({ headers, json }) =>
        headers['x-csrf-token'] === 'token-2' && json?.['_id'] === 'a'
          ? ok()
          : { status: 403, body: 'Invalid CSRF Token' },
    });
    const controller = connect(console);
    await controller.revoke(null, 'a');
    expect(logins).toBe(2);
    const refusal = await refusalOf(controller.revoke(null, 'b'));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'refused' });
    expect(describeInGerman(refusal)).toContain('CSRF');
    expect(logins).toBe(3);
  });
});

describe('cookies', () => {
  test('are kept by name, replaced, and removed when the controller says so', async () => {
    const sets = [
      ['unifises=b; Path=/; Partitioned', 'extra=1=2; Secure'],
      ['extra=; Path=/'],
      ['unifises=c; Max-Age=3600', 'other=x', 'no cookie'],
      ['other=x; Path=/; Max-Age=0'],
      [],
    ];
    const console = await script({
      login: () => ({ ...ok(), headers: { 'set-cookie': ['unifises=a'] } }),
      api: () => ({ ...ok(), headers: { 'set-cookie': sets.shift() ?? [] } }),
    });
    const controller = connect(console);
    for (let call = 0; call < 5; call += 1) await controller.revoke(null, 'a');
    const sent = console.asked.filter(({ path }) => path.endsWith('/cmd/hotspot'));
    expect(sent.map(({ headers }) => headers['cookie'])).toEqual([
      'unifises=a',
      'unifises=b; extra=1=2',
      'unifises=b',
      'unifises=c; other=x',
      'unifises=c',
    ]);
  });
});

describe('closing', () => {
  test.each(variants)('signs out (%s)', async (variant) => {
    const console = await start({ variant });
    const controller = connectTo(console);
    await collectVouchers(controller);
    await controller.close();
    expect(console.counts.byRoute['POST logout']).toBe(1);
  });

  test('signs nobody out who was never signed in', async () => {
    const console = await script({});
    await connectTo(console).close();
    expect(console.asked).toEqual([]);
  });

  test('does not fail when signing out does', async () => {
    const console = await script({ api: ({ path }) => (path === '/api/logout' ? { status: 500 } : ok()) });
    const controller = connectTo(console);
    await collectVouchers(controller);
    await controller.close();
    expect(console.times('POST /api/logout')).toBe(1);
  });

  test('signs out only when everything that is under way has ended', async () => {
    const console = await start({ hideNewMs: 300 });
    const controller = connectTo(console);
    const orders = Array.from({ length: 10 }, () => controller.create(someOrder(), 1));
    await controller.close();
    expect(new Set((await Promise.all(orders)).flat().map(({ code }) => code)).size).toBe(10);
    expect(console.counts).toMatchObject({ logins: 1, byRoute: { 'POST logout': 1 } });
  });
});
