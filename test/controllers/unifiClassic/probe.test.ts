import { describe, expect, test } from '@jest/globals';
import type { ProbeStep } from '../../../src/controllers/controller.js';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { error, ok, type Script } from './scriptedConsole.js';
import { connectTo, consolesOfTest, refusalOf, variants } from './testConsoles.js';
import { testCases } from '../../support/cases.js';

const { start, script, connect } = consolesOfTest();

const sites = [
  { _id: '5a32aa4ee4b0412345678910', name: 'default', desc: 'Haupthaus', role: 'admin' },
  { _id: '5a32aa4ee4b0412345678911', name: 'q2w4x8', desc: 'Nebenhaus', role: 'hotspot' },
];

describe('a probe', () => {
  const answering =
    (answers: Readonly<Record<string, ReturnType<typeof ok>>>): Script =>
    ({ path }) =>
      answers[path] ?? ok();

  test.each(variants)('names sites as paths do, and as people do (%s)', async (variant) => {
    const console = await start({
      variant,
      sites: [
        { reference: 'default', name: 'Haupthaus' },
        { reference: 'q2w4x8', name: 'Nebenhaus' },
      ],
    });
    const { sites: told } = await connect(console).probe();
    expect(told).toEqual([
      { id: 'default', name: 'Haupthaus' },
      { id: 'q2w4x8', name: 'Nebenhaus' },
    ]);
  });

  test('tells the version of the status', async () => {
    const api = answering({
      '/status': ok([], { up: true, server_version: '9.0.114' }),
      '/api/self/sites': ok(sites),
    });
    expect((await connect(await script({ api })).probe()).version).toBe('9.0.114');
  });

  test('tells the version of the system information where the status has none', async () => {
    const api = answering({
      '/status': error(404, 'api.err.NotFound'),
      '/api/s/default/stat/sysinfo': ok([{ version: '8.6.9' }]),
      '/api/self/sites': ok(sites),
    });
    expect((await connect(await script({ api })).probe()).version).toBe('8.6.9');
  });

  testCases([
    ['refused', error(403, 'api.err.NoPermission')],
    ['not known', { status: 404, body: '<html>' }],
    ['not readable', { body: '<html>' }],
  ])('goes on without a usable version', async (_, said) => {
    const api = answering({
      '/status': said,
      '/api/s/default/stat/sysinfo': said,
      '/api/self/sites': ok(sites),
    });
    expect(await connect(await script({ api })).probe()).toMatchObject({
      version: 'unknown',
      sites: [{ id: 'default', name: 'Haupthaus' }, { id: 'q2w4x8' }],
    });
  });

  test('tells how far it came: no connection', async () => {
    const console = await script({});
    await console.stop();
    const steps: ProbeStep[] = [];
    const refusal = await refusalOf(connect(console).probe((step) => steps.push(step)));
    expect(refusal).toMatchObject({ code: 'unreachable' });
    expect(steps).toEqual([]);
  });

  test('tells how far it came: no login', async () => {
    const console = await start();
    const steps: ProbeStep[] = [];
    const controller = connect({ ...console, password: 'Falsch-123' });
    const refusal = await refusalOf(controller.probe((step) => steps.push(step)));
    expect(refusal).toMatchObject({ code: 'credentials' });
    expect(steps).toEqual(['connected']);
  });

  test('notices that the session has ended', async () => {
    const console = await start();
    const controller = connect(console);
    await controller.probe();
    console.endSessions();
    await controller.probe();
    expect(console.counts.logins).toBe(2);
  });

  test('notices that a controller is gone to which there was a session', async () => {
    const console = await start();
    const controller = connectTo(console);
    await controller.probe();
    await console.stop();
    const steps: ProbeStep[] = [];
    await refusalOf(controller.probe((step) => steps.push(step)));
    expect(steps).toEqual([]);
    await controller.close();
  });

  test.each(variants)('refuses an account that may only read, with advice (%s)', async (variant) => {
    const console = await start({ variant, readOnly: true });
    const steps: ProbeStep[] = [];
    const refusal = await refusalOf(connect(console).probe((step) => steps.push(step)));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'permission' });
    expect(describeInGerman(refusal)).toBe(
      'Das Konto am Controller „Halle 3“ darf das nicht. Es braucht dort die Rolle Hotspot oder Administrator',
    );
    expect(steps).toEqual(['connected', 'signed-in', 'version']);
  });

  test('leaves out the sites where the account may only read', async () => {
    const mixed = [
      { name: 'a', desc: 'A', role: 'readonly' },
      { name: 'b', desc: 'B', role: 'hotspot' },
      { name: 'c', desc: 'C', role: 'readonly', role_hotspot: true },
      { name: 'd', desc: 'D' },
    ];
    const api = answering({ '/api/self/sites': ok(mixed) });
    const { sites: told } = await connect(await script({ api })).probe();
    expect(told.map(({ id }) => id)).toEqual(['b', 'c', 'd']);
  });
});

describe('a site that is not named', () => {
  const created = 'POST cmd/hotspot create-voucher';

  test('is the one called default, without asking', async () => {
    const console = await start({
      sites: [
        { reference: 'q2w4x8', name: 'Nebenhaus' },
        { reference: 'default', name: 'Haupthaus' },
      ],
    });
    await connect(console).create(someOrder(), 1);
    expect(console.vouchers('default')).toHaveLength(1);
    expect(console.counts.byRoute).not.toHaveProperty('GET self/sites');
  });

  test('is the only one, which is asked for once', async () => {
    const console = await start({ sites: [{ reference: 'q2w4x8', name: 'Nebenhaus' }] });
    const controller = connect(console);
    const [made] = await controller.create(someOrder(), 1);
    await controller.create(someOrder(), 1);
    expect(await collectVouchers(controller)).toContainEqual(made);
    await controller.revoke(null, made!.id!);
    expect(console.vouchers('q2w4x8')).toHaveLength(1);
    expect(console.counts.byRoute).toMatchObject({ 'GET self/sites': 1, [created]: 3 });
  });

  test('must be named when there are several and none is default', async () => {
    const console = await start({
      sites: [
        { reference: 'q2w4x8', name: 'Nebenhaus' },
        { reference: 'r5t6z7', name: 'Haupthaus' },
      ],
    });
    const controller = connect(console);
    const refusal = await refusalOf(controller.create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'site' });
    expect(describeInGerman(refusal)).toBe(
      'Der Controller „Halle 3“ hat mehrere Standorte; es ist nicht eingestellt, welcher gemeint ist',
    );
    await controller.create(someOrder({ controllerSite: 'r5t6z7' }), 1);
    expect(console.vouchers('r5t6z7')).toHaveLength(1);
  });

  test('that can not be found out leaves nothing unknown', async () => {
    const api: Script = ({ path }) =>
      path === '/api/self/sites' ? { status: 502, body: '<html>' } : error(400, 'api.err.NoSiteContext');
    const refusal = await refusalOf(connect(await script({ api })).create(someOrder(), 1));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'unreadable' });
  });
});

describe('revoking', () => {
  testCases([
    ['ok', ok()],
    ['NotFound', error(404, 'api.err.NotFound')],
    ['IdInvalid', error(400, 'api.err.IdInvalid')],
  ])('a voucher that is gone is no error, whatever the controller says', async (_, said) => {
    const console = await script({ api: () => said });
    await connect(console).revoke('nord', '61facea3873fdb075ce28d71');
    expect(console.asked.find(({ path }) => path === '/api/s/nord/cmd/hotspot')?.json).toEqual({
      cmd: 'delete-voucher',
      _id: '61facea3873fdb075ce28d71',
    });
  });

  test('without permission is refused', async () => {
    const console = await script({ api: () => error(403, 'api.err.NoPermission') });
    expect(await refusalOf(connect(console).revoke(null, 'a'))).toMatchObject({ code: 'permission' });
  });

  test('a site whose name needs it is quoted in the path', async () => {
    const console = await script({});
    await connect(console).revoke('a/b ?ä', 'x');
    expect(console.asked.at(-1)?.path).toBe('/api/s/a%2Fb%20%3F%C3%A4/cmd/hotspot');
  });
});
