import { describe, expect, test } from '@jest/globals';
import type { FaultKind } from '../../../simulators/unifi/faults.js';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { until } from '../../support/until.js';
import { error, ok, type Said, type Script } from './scriptedConsole.js';
import { connectTo, consolesOfTest, refusalOf, variants } from './testConsoles.js';

const { start, script, connect } = consolesOfTest();

const creations = 'POST cmd/hotspot create-voucher';
const reads = 'POST stat/voucher';

describe('an order whose answer gets lost leaves it unknown', () => {
  test.each<[FaultKind, number]>([
    ['reset-before', 0],
    ['reset-after', 1],
    ['bad-gateway', 0],
    ['truncated', 1],
    ['wrong-json', 1],
  ])('%s', async (kind, made) => {
    const console = await start();
    const controller = connect(console);
    await collectVouchers(controller);
    console.fault({ kind, on: 'create' });
    const unknown = await refusalOf(controller.create(someOrder(), 1));
    expect(unknown.name).toBe('OutcomeUnknown');
    expect(console.vouchers()).toHaveLength(made);
    // Not repeated: that could make a second voucher.
    expect(console.counts.byRoute[creations]).toBe(1);
  });

  test.each<[FaultKind, number]>([
    ['hang', 0],
    ['slow', 1],
  ])('%s, when the time is up', async (kind, made) => {
    const console = await start();
    const controller = connect(console);
    await collectVouchers(controller);
    console.fault({ kind, on: 'create', delayMs: 3_600_000 });
    const abort = new AbortController();
    const unknown = refusalOf(controller.create(someOrder(), 1, abort.signal));
    await until('it is under way', () => console.counts.byRoute[creations] === 1);
    abort.abort();
    expect((await unknown).name).toBe('OutcomeUnknown');
    expect(console.vouchers()).toHaveLength(made);
    expect(console.counts.byRoute).not.toHaveProperty(reads);
  });

  test.each<[string, Said]>([
    ['an answer that is no JSON', { body: '<html>' }],
    ['an empty answer', { body: '' }],
    ['an answer without meta', { body: { data: [{ create_time: 1 }] } }],
    ['an answer that is a list', { body: [] }],
    ['status 500', error(500, 'api.err.ServerError')],
    ['status 503', { status: 503, body: '' }],
    ['status 408', { status: 408, body: '' }],
    ['status 200 with a 502 in it', { body: { error: { code: 502, message: 'Bad Gateway' } } }],
  ])('%s', async (_, said) => {
    const console = await script({ api: () => said });
    const unknown = await refusalOf(connect(console).create(someOrder(), 1));
    expect(unknown.name).toBe('OutcomeUnknown');
    expect(console.asked.filter(({ path }) => path.endsWith('/cmd/hotspot'))).toHaveLength(1);
  });
});

testCases<[string, Said]>([
  ['no list', { body: { meta: { rc: 'ok' } } }],
  ['an empty list', ok([])],
  ['null', ok([null])],
  ['no time', ok([{}])],
])('an answer that says yes without its voucher shows none', async (_, said) => {
  const console = await script({ api: () => said });
  expect(await connect(console).create(someOrder(), 1)).toEqual([]);
  expect(console.asked.filter(({ path }) => path.endsWith('/stat/voucher'))).toEqual([]);
});

describe('a voucher that can not be read is no refusal', () => {
  const readingWith = (read: Script) =>
    script({
      api: (asked, res) =>
        asked.path.endsWith('/stat/voucher') ? read(asked, res) : ok([{ create_time: 1_790_000_000 }]),
    });

  testCases<[string, Said, number]>([
    ['a session that has ended twice', error(401, 'api.err.LoginRequired'), 2],
    ['a throttle, twice', { status: 429, headers: { 'retry-after': '0' }, body: {} }, 2],
    ['no permission', error(403, 'api.err.NoPermission'), 1],
    ['a refusal with status 200', error(200, 'api.err.InvalidArgs'), 1],
    ['no such site', error(400, 'api.err.NoSiteContext'), 1],
    ['no such path', { status: 404, body: '' }, 1],
    ['a redirect', { status: 302, headers: { location: '/' }, body: '' }, 1],
    ['status 500', { status: 500, body: '' }, 1],
    ['no JSON', { body: '<html>' }, 1],
  ])('is refused by its words and its status', async (_, said, times) => {
    const console = await readingWith(() => said);
    const unknown = await refusalOf(connect(console).create(someOrder(), 1));
    expect(unknown.name).toBe('OutcomeUnknown');
    expect(describeInGerman(unknown)).toContain(
      'Der Voucher ist am Controller „Halle 3“ erstellt, aber nicht gelesen: ',
    );
    expect(console.times('POST /api/s/default/cmd/hotspot')).toBe(1);
    expect(console.times('POST /api/s/default/stat/voucher')).toBe(times);
  });

  test('because the login after it is throttled', async () => {
    let logins = 0;
    const console = await script({
      login: () => {
        logins += 1;
        return logins === 1
          ? { ...ok(), headers: { 'set-cookie': ['unifises=a'] } }
          : { status: 429, body: {} };
      },
      api: ({ path }) =>
        path.endsWith('/stat/voucher') ? error(401, 'api.err.LoginRequired') : ok([{ create_time: 1 }]),
    });
    const unknown = await refusalOf(connect(console).create(someOrder(), 1));
    expect(unknown.name).toBe('OutcomeUnknown');
    expect(describeInGerman(unknown)).toContain('neuer Versuch in 60 s');
  });

  test('because the connection breaks off', async () => {
    const console = await readingWith((_, res) => {
      res.destroy();
      return undefined;
    });
    const unknown = await refusalOf(connect(console).create(someOrder(), 1));
    expect(unknown.name).toBe('OutcomeUnknown');
  });

  test('because the time is up', async () => {
    const console = await readingWith(() => undefined);
    const abort = new AbortController();
    const unknown = refusalOf(connect(console).create(someOrder(), 1, abort.signal));
    await until('it is read', () => console.times('POST /api/s/default/stat/voucher') === 1);
    abort.abort();
    expect((await unknown).name).toBe('OutcomeUnknown');
  });
});

describe('an order that the controller refuses', () => {
  test.each<[string, Said, string, string]>([
    [
      'InvalidArgs',
      error(400, 'api.err.InvalidArgs'),
      'bounds',
      'hat einen Wert der Bestellung abgelehnt (api.err.InvalidArgs)',
    ],
    [
      'InvalidArgs as 200',
      error(200, 'api.err.InvalidArgs'),
      'bounds',
      'hat einen Wert der Bestellung abgelehnt (api.err.InvalidArgs)',
    ],
    [
      'InvalidPayload',
      error(400, 'api.err.InvalidPayload'),
      'refused',
      'hat die Anfrage abgelehnt (api.err.InvalidPayload)',
    ],
    [
      'NoPermission',
      error(403, 'api.err.NoPermission'),
      'permission',
      'Es braucht dort die Rolle Hotspot oder Administrator (api.err.NoPermission)',
    ],
    [
      'NoPermission as 200',
      error(200, 'api.err.NoPermission'),
      'permission',
      'Es braucht dort die Rolle Hotspot oder Administrator',
    ],
    [
      'NoPermission as 401',
      error(401, 'api.err.NoPermission'),
      'permission',
      'Es braucht dort die Rolle Hotspot oder Administrator',
    ],
    [
      'Forbidden',
      { status: 403, body: { error: { code: 403, message: 'Forbidden' } } },
      'permission',
      '(Status 403)',
    ],
    [
      'Forbidden as 200',
      { body: { error: { code: 403, message: 'Forbidden' } } },
      'permission',
      '(Status 403)',
    ],
    [
      'NoSiteContext',
      error(400, 'api.err.NoSiteContext'),
      'site',
      'kennt diesen Standort nicht (api.err.NoSiteContext)',
    ],
    ['NoSiteContext as 401', error(401, 'api.err.NoSiteContext'), 'site', 'kennt diesen Standort nicht'],
    ['NotFound', error(404, 'api.err.NotFound'), 'refused', '(api.err.NotFound)'],
    ['an error without a name', { body: { meta: { rc: 'error' }, data: [] } }, 'refused', '(api.err)'],
    [
      'words of its own',
      { body: { meta: { rc: 'error', msg: 'TOKEN=geheim' }, data: [] } },
      'refused',
      '(api.err)',
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' },
      'unreadable',
      'schickt an eine andere Adresse weiter',
    ],
    ['status 413', { status: 413, body: '<html>' }, 'refused', '(Status 413)'],
  ])('%s', async (_, said, code, text) => {
    const console = await script({ api: () => said });
    const controller = connect(console);
    const refusal = await refusalOf(controller.create(someOrder({ controllerSite: 'nord' }), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code });
    expect(describeInGerman(refusal)).toContain(text);
    expect(describeInGerman(refusal)).toContain('„Halle 3“');
    expect(describeInGerman(refusal)).not.toContain('geheim');
    expect(console.asked.filter(({ path }) => path.endsWith('/cmd/hotspot'))).toHaveLength(1);
    expect(console.times('POST /api/login')).toBe(1);
  });

  test.each(variants)('because the account may only read (%s)', async (variant) => {
    const console = await start({ variant, readOnly: true });
    const refusal = await refusalOf(connect(console).create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'permission' });
  });
});

describe('an order that is throttled', () => {
  test('waits and is repeated', async () => {
    const console = await start();
    const controller = connect(console);
    console.fault({ kind: 'throttled', on: 'create', times: 1 });
    expect(await controller.create(someOrder(), 1)).toHaveLength(1);
    expect(console.vouchers()).toHaveLength(1);
    expect(console.counts.byRoute[creations]).toBe(2);
  });

  test('is repeated once only', async () => {
    const console = await script({
      api: () => ({ status: 429, headers: { 'retry-after': '0' }, body: '' }),
    });
    const refusal = await refusalOf(connect(console).create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'throttled' });
    expect(console.times('POST /api/s/default/cmd/hotspot')).toBe(2);
  });

  test('is not repeated when that would be too late', async () => {
    const console = await script({
      api: () => ({ status: 429, headers: { 'retry-after': '11' }, body: '' }),
    });
    const refusal = await refusalOf(connect(console, { deadlineMs: 10_000 }).create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'throttled' });
    expect(describeInGerman(refusal)).toBe('Der Controller „Halle 3“ wird zu oft gefragt; bitte 11 s warten');
    expect(console.times('POST /api/s/default/cmd/hotspot')).toBe(1);
  });

  test('ends at once when the time is up', async () => {
    const console = await script({
      api: ({ json }) =>
        json?.['cmd'] === 'create-voucher'
          ? { status: 429, headers: { 'retry-after': '3000' }, body: '' }
          : ok(),
    });
    const { url, fingerprint } = console;
    const settings = { url, fingerprint, maxCalls: 1 };
    const controller = connect(console, { settings, deadlineMs: 3_600_000 });
    const abort = new AbortController();
    const refusal = refusalOf(controller.create(someOrder(), 1, abort.signal));
    await until('it is asked', () => console.times('POST /api/s/default/cmd/hotspot') === 1);
    // This one has its turn only when the order is answered.
    await controller.revoke(null, 'a');
    abort.abort();
    expect(await refusal).toMatchObject({ name: 'ControllerError', code: 'throttled' });
    expect(console.times('POST /api/s/default/cmd/hotspot')).toBe(2);
  });
});

describe('when the time is up', () => {
  test('nothing is begun', async () => {
    const console = await script({});
    const controller = connectTo(console);
    const refusal = await refusalOf(controller.create(someOrder(), 1, AbortSignal.abort()));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'deadline' });
    await controller.close();
    expect(console.asked).toEqual([]);
  });

  test('orders that wait for their turn have made nothing', async () => {
    const console = await start();
    const { url, fingerprint } = console;
    const controller = connect(console, { settings: { url, fingerprint, maxCalls: 2 } });
    await collectVouchers(controller);
    console.fault({ kind: 'hang', on: 'create' });
    const abort = new AbortController();
    const outcomes = Array.from({ length: 10 }, () =>
      refusalOf(controller.create(someOrder(), 1, abort.signal)),
    );
    await until('two are under way', () => console.counts.byRoute[creations] === 2);
    abort.abort();
    const names = (await Promise.all(outcomes)).map(({ name }) => name);
    expect(names.filter((name) => name === 'OutcomeUnknown')).toHaveLength(2);
    expect(names.filter((name) => name === 'ControllerError')).toHaveLength(8);
    expect(console.counts.byRoute[creations]).toBe(2);
  });

  test('an order whose session had ended is not repeated', async () => {
    const abort = new AbortController();
    const console = await script({
      api: () => {
        abort.abort();
        return error(401, 'api.err.LoginRequired');
      },
    });
    const outcome = await refusalOf(connect(console).create(someOrder(), 1, abort.signal));
    expect(['ControllerError', 'OutcomeUnknown']).toContain(outcome.name);
    expect(console.times('POST /api/s/default/cmd/hotspot')).toBe(1);
    expect(console.times('POST /api/login')).toBe(1);
  });
});
