import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeTables } from '../../../src/app/tables.js';
import { simulatedFile } from '../../../src/controllers/simulated/simulated.js';
import { openDatabase } from '../../../src/database/database.js';
import { enqueueNotifications } from '../../../src/webhooks/notificationTable.js';
import { someWebhook } from '../../conformance/tables/outbox.js';
import { program, run } from '../../support/cli.js';
import { makeConsoleCliFixture, type ConsoleCliFixture } from '../../support/consoleCliFixture.js';
import { answered } from '../../support/deliveryReasons.js';
import { forAllTests } from '../../support/fixture.js';
import { someIntent, someKey } from '../../support/records.js';
import { until } from '../../support/until.js';
import { addController, addSite, doctor, makeDoctorFolder, type DoctorFinding } from './doctorFixture.js';

const folder = forAllTests(makeDoctorFolder, 'remove');

describe('demo', () => {
  const withKey = async (name: string, expiresAt: number | null, ...commands: string[][]) => {
    const env: Record<string, string> = {
      ...(await folder.prepared(name, ['migrate'])),
      API_KEY: 'geheimerPlatzhalter',
    };
    for (const command of commands) await run(command, env);
    const database = openDatabase(`sqlite:${env['DATA_DIR'] ?? ''}/voucherd.sqlite`);
    await makeTables(database).apiKeys.add(someKey({ name: 'voucherd demo', prefix: '0badcafe', expiresAt }));
    await database.close();
    return doctor(env);
  };
  const soon = () => Date.now() + 3_600_000;
  const addReal = [
    ...['controller', 'add', '--name', 'Zentrale', '--kind', 'unifi'],
    ...['--url', 'https://127.0.0.1:1', '--api-key-env', 'API_KEY'],
  ];

  test('the key of one that runs is reported, and in order', async () => {
    const { find } = await withKey('demo', soon());
    expect(find('demo')).toEqual({
      check: 'demo',
      ok: true,
      message: expect.stringMatching(
        /^the key 0badcafe of a demo is valid until \S+Z, unless a running demo extends it$/,
      ),
    });
  });

  test.each([
    ['beside real controllers', 'demoReal', soon(), addReal],
    ['without an end', 'demoForEver', null, addController],
  ])('a key %s is not', async (_, name, expiresAt, command) => {
    const { find } = await withKey(name, expiresAt, command);
    expect(find('demo')).toMatchObject({
      ok: false,
      remedy: `stop the demo, and: ${program} key revoke 0badcafe`,
    });
  });

  test('one that has expired is no key any more', async () => {
    const { find } = await withKey('demoOver', Date.now() - 1);
    expect(find('demo')).toBeUndefined();
    expect(find('keys')).toMatchObject({ level: 'todo', message: 'none' });
  });
});

test('sites: inactive ones do not count', async () => {
  const env = await folder.prepared('inactive', addController, addSite, ['site', 'deactivate', '1']);
  expect((await doctor(env)).find('sites')).toMatchObject({ level: 'todo', message: 'none active' });
});

describe('intents', () => {
  const withOpen = async (name: string, ...ages: number[]) => {
    const env = await folder.prepared(name, addController, addSite);
    const database = openDatabase(`sqlite:${env['DATA_DIR'] ?? ''}/voucherd.sqlite`);
    const { intents } = makeTables(database);
    for (const age of ages) await intents.begin({ intent: someIntent(1, { createdAt: Date.now() - age }) });
    await database.close();
    return (await doctor(env)).find('intents');
  };

  test('none that is open is in order', async () => {
    expect(await withOpen('settled')).toEqual({ check: 'intents', ok: true, message: 'none open' });
  });

  test('those that may still be open are shown, with the age of the oldest, and are in order', async () => {
    expect(await withOpen('young', 1_000, 40_000)).toEqual({
      check: 'intents',
      ok: true,
      message: expect.stringMatching(/^2 open, the oldest for \d+ s$/),
    });
  });

  test('those that should have been settled are not', async () => {
    expect(await withOpen('old', 3 * 3_600_000, 1_000)).toEqual({
      check: 'intents',
      ok: false,
      message: '2 open, the oldest for 3 h, which is longer than 80 s',
      remedy: expect.stringContaining('controller'),
    });
  });
});

test('controllers: one that does not answer is named with the command that tests it', async () => {
  const env = await folder.prepared('broken', addController);
  await mkdir(simulatedFile(env['DATA_DIR'] ?? '', 1));
  expect((await doctor(env)).find('controller Konsole')).toMatchObject({
    ok: false,
    remedy: `${program} controller test "Konsole"`,
  });
});

describe('controllers and secrets', () => {
  let cli: ConsoleCliFixture;
  beforeEach(async () => {
    cli = await makeConsoleCliFixture({}, { PORT: '1' });
  });
  afterEach(async () => {
    expect(await cli.secretsLeaked()).toEqual([]);
    await cli.remove();
  });
  const examined = async () => {
    const findings = JSON.parse((await cli.voucherd('doctor', '--json')).out) as DoctorFinding[];
    return (check: string) => findings.find((finding) => finding.check === check);
  };

  test('each controller is probed, and has advice of its own', async () => {
    await cli.add('Gut', 'unifi');
    await cli.add('Fremd', 'unifi-classic', '--max-calls', '1');
    await cli.add('Falsch', 'unifi');
    await cli.voucherd('controller', 'credentials', 'Falsch', '--api-key-env', 'WRONG');
    const find = await examined();
    expect(find('controller Gut')).toEqual({
      check: 'controller Gut',
      ok: true,
      message: 'answers, version 10.5.66',
    });
    expect(find('controller Fremd')).toMatchObject({
      ok: false,
      remedy: expect.stringContaining(
        `${program} controller pin "Fremd" --fingerprint ${cli.unifi.fingerprint}`,
      ),
    });
    expect(find('controller Falsch')).toMatchObject({
      ok: false,
      remedy: `${program} controller credentials "Falsch"`,
    });
    expect(find('secrets')).toEqual({
      check: 'secrets',
      ok: true,
      message: 'all stored secrets can be decrypted',
    });
  });

  test('they are probed at the same time', async () => {
    for (const name of ['a', 'b', 'c']) await cli.add(name, 'unifi');
    cli.unifi.resetCounts();
    cli.unifi.fault({ kind: 'hang', on: 'all' });
    const ended = examined();
    await until('all are asked', () => cli.unifi.counts.open === 3);
    await cli.unifi.stop();
    expect((await ended)('controller c')).toMatchObject({ ok: false });
  });

  test('what was sealed with another key is named', async () => {
    await cli.add('Konsole', 'unifi');
    await run(['webhook', 'add', '--name', 'Chat', '--format', 'slack', '--url-env', 'U'], {
      ...cli.env,
      U: 'https://hooks.example.org/x',
    });
    await rm(join(cli.dataDir, 'secret.key'));
    const find = await examined();
    expect(find('secrets')).toEqual({
      check: 'secrets',
      ok: false,
      message: 'sealed with another key or for another address: webhook "Chat", controller "Konsole"',
      remedy:
        'put that key back (SECRET_KEY, SECRET_KEY_FILE, or secret.key in DATA_DIR), or remove the webhook',
    });
    expect(find('controller Konsole')).toMatchObject({
      ok: false,
      message: 'its credentials were sealed with another key or for another address',
    });
  });
});

test('secrets: nothing that is sealed needs no key, and none is made', async () => {
  const env = await folder.prepared('unsealed', addController);
  expect((await doctor(env)).find('secrets')).toMatchObject({ ok: true });
  expect(await readdir(env['DATA_DIR'] ?? '')).not.toContain('secret.key');
});

describe('webhooks', () => {
  const minute = 60_000;
  const day = 24 * 60 * minute;
  /** Deliveries to one webhook that failed for good so long ago. */
  const withFailed = async (name: string, ...ages: number[]) => {
    const env = await folder.prepared(name, ['migrate']);
    const database = openDatabase(`sqlite:${env['DATA_DIR'] ?? ''}/voucherd.sqlite`);
    const { webhooks, deliveries, outbox } = makeTables(database);
    await webhooks.add(someWebhook({ name: 'Empfang' }));
    await enqueueNotifications(
      database.write,
      ages.map((age, index) => ({
        type: 'voucher.created',
        id: `n${String(index)}`,
        count: 1,
        site: 'Nord',
        source: 'API: Buchung',
        createdAt: Date.now() - age,
      })),
    );
    await deliveries.dispatch(Date.now());
    for (const { id, notification } of await deliveries.newest({}, 10))
      await outbox.settle(
        id,
        'failed',
        { code: 'text', values: { text: 'answered 404\u001b[31m' } },
        notification.createdAt,
      );
    await database.close();
    return env;
  };

  test('deliveries that failed for good are reported, with what to do', async () => {
    const env = await withFailed('failed', 3 * day, 5 * minute, 8 * day);
    const { status, find } = await doctor(env);
    expect(status).toBe(1);
    const { message, remedy, ok } = find('webhooks')!;
    expect([ok, message]).toEqual([
      false,
      expect.stringMatching(
        /^2 deliveries failed for good in the last 7 days, the last one to "Empfang" at \S+Z: answered 404 \[31m$/,
      ),
    ]);
    expect(remedy).toMatch(
      new RegExp(
        `: ${program} webhook deliveries --state failed\nsend again .*: ${program} webhook resend \\d+$`,
      ),
    );
    const id = /resend (\d+)$/.exec(remedy ?? '')?.[1] ?? '';
    const listed = JSON.parse(
      (await run(['webhook', 'deliveries', '--state', 'failed', '--json'], env)).out,
    ) as { id: number; notification: { id: string } }[];
    expect(listed.find((delivery) => String(delivery.id) === id)?.notification.id).toBe('n1');
  });

  test('what was sent again, or failed long ago, is not', async () => {
    const env = await withFailed('resent', 10 * minute, 8 * day);
    const { remedy } = (await doctor(env)).find('webhooks')!;
    await run(['webhook', 'resend', /resend (\d+)$/.exec(remedy ?? '')?.[1] ?? ''], env);
    expect((await doctor(env)).find('webhooks')).toMatchObject({ ok: true, message: 'none failing' });
  });
});

test('webhooks: one that its target has switched off is named', async () => {
  const env = await folder.prepared('switchedOff', ['migrate']);
  const database = openDatabase(`sqlite:${env['DATA_DIR'] ?? ''}/voucherd.sqlite`);
  const { webhooks } = makeTables(database);
  const sealed = { sealedAddress: 'x', sealedSecrets: null };
  const id = await webhooks.add({
    name: 'Buchung',
    format: 'generic',
    language: 'de',
    ...sealed,
    createdAt: 0,
  });
  await webhooks.change(id, { active: false, reason: answered(410) });
  await database.close();
  const { find } = await doctor(env);
  expect(find('webhooks')).toEqual({
    check: 'webhooks',
    ok: false,
    message: '"Buchung" was switched off: answered 410',
    remedy: `switch it on again, or remove it: ${program} webhook enable "Buchung"`,
  });
});
