import { mkdir, readdir } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { runMigrations } from '../../../src/database/migrator.js';
import { startOidcProvider } from '../../../simulators/oidcProvider.js';
import { program, run } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { startMailServer } from '../../support/mailServer.js';
import { startService } from '../../support/service.js';
import { addController, addKey, addSite, doctor, makeDoctorFolder } from './doctorFixture.js';

const folder = forAllTests(makeDoctorFolder, 'remove');

test('with everything in order all checks are ok, and the status is 0', async () => {
  const env = await folder.prepared('good', addController, addSite, addKey);
  const service = await startService({ dataDir: env['DATA_DIR'] ?? '' });
  const { status, out, err } = await run(['doctor'], { ...env, PORT: new URL(service.url).port });
  await service.stop();
  expect([status, err]).toEqual([0, '']);
  const checks = out.match(
    /^ok {4}(configuration|disk|clock|database|keys|sites|intents|secrets|service|sms|single-sign-on)/gm,
  );
  expect(checks).toHaveLength(11);
  expect(out).toMatch(/^ok {4}controller Konsole +answers, version simulated$/m);
  expect(out).not.toContain('FAIL');
});

test('a check that fails says what to do, and one line on standard error counts them', async () => {
  const env = await folder.prepared('old');
  await mkdir(env['DATA_DIR'] ?? '');
  const database = openDatabase(`sqlite:${env['DATA_DIR'] ?? ''}/voucherd.sqlite`);
  await runMigrations(database, migrations.slice(0, -1));
  await database.close();
  const { status, out, err } = await run(['doctor'], env);
  expect(status).toBe(1);
  expect(out).toMatch(new RegExp(`^FAIL {2}database +1 migration pending\n +→ ${program} migrate$`, 'm'));
  expect(err).toBe('voucherd: 2 of 6 checks failed\n');
});

test('every check that fails has advice, and none that is ok, except for what could be set up', async () => {
  const { findings } = await doctor(await folder.prepared('pending', ['migrate']));
  expect(findings.some(({ ok }) => !ok)).toBe(true);
  for (const { check, ok, level, remedy } of findings)
    expect(remedy === undefined).toBe(
      ok && !['email', 'sms', 'single-sign-on'].includes(check) && level === undefined,
    );
});

test('e-mail: that it is not set up is no failure; otherwise its server is asked, and named without a password', async () => {
  const env = await folder.prepared('mail', ['migrate']);
  expect((await doctor(env)).find('email')).toMatchObject({
    ok: true,
    remedy: 'to send e-mails, set up a mail server on the page E-mail, or set SMTP_URL and MAIL_FROM',
  });
  const server = await startMailServer();
  const { host } = new URL(server.url);
  const mail = { SMTP_URL: `smtp://wifi:geheim@${host}`, MAIL_FROM: 'wifi@example.org' };
  const look = async () => (await doctor({ ...env, ...mail })).find('email');
  const refused = await look();
  expect(refused).toMatchObject({
    ok: false,
    message: `set up, but ${host} cannot be used: the mail server refuses the credentials`,
    remedy: expect.stringContaining('SMTP_URL'),
  });
  expect(JSON.stringify(refused)).not.toContain('geheim');
  mail.SMTP_URL = server.url;
  expect(await look()).toEqual({ check: 'email', ok: true, message: `set up, through ${host}` });
  expect(server.mails).toEqual([]);
  await server.stop();
  expect(await look()).toMatchObject({
    ok: false,
    message: expect.stringContaining(`${host} cannot be used`),
  });
});

test('SMS: that it is not set up is no failure; otherwise its provider is named, without a secret', async () => {
  const env = await folder.prepared('sms', ['migrate']);
  expect((await doctor(env)).find('sms')).toMatchObject({
    ok: true,
    message: 'not set up: vouchers cannot be sent by SMS',
    remedy: 'to send SMS, set up a provider on the page SMS, or set SMS_PROVIDER',
  });
  const provider = {
    ...{ SMS_PROVIDER: 'twilio', SMS_USER: `AC${'1'.repeat(32)}`, SMS_FROM: 'Hotel' },
    SMS_SECRET: 'geheimerPlatzhalter9Qw',
  };
  expect((await doctor({ ...env, ...provider })).find('sms')).toEqual({
    check: 'sms',
    ok: true,
    message: 'set up, through api.twilio.com (SMS_PROVIDER)',
  });
});

test('single sign-on: not set up, half set up, usable, and refused by the provider, without the secret', async () => {
  const env = await folder.prepared('single-sign-on', ['migrate']);
  const look = async (more: Record<string, string> = {}) =>
    (await doctor({ ...env, ...more })).find('single-sign-on');
  expect(await look()).toMatchObject({ ok: true, message: 'not set up: users sign in with a password' });
  const provider = await startOidcProvider();
  try {
    const half = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId };
    expect(await look(half)).toMatchObject({
      ok: false,
      message: 'not complete: nobody can sign in with it',
      remedy: expect.stringContaining('complete it on the page Users'),
    });
    const host = `${new URL(provider.issuer).host} (OIDC_ISSUER)`;
    const whole = { ...half, OIDC_CLIENT_SECRET: provider.clientSecret };
    expect(await look(whole)).toEqual({ check: 'single-sign-on', ok: true, message: `set up, at ${host}` });
    const wrong = await look({ ...half, OIDC_CLIENT_SECRET: 'geheimerPlatzhalter9Qw' });
    expect(wrong).toMatchObject({ ok: false, message: expect.stringContaining('invalid_client') });
    expect(wrong?.message).not.toContain('geheimer');
    provider.behave({ isBroken: true });
    expect(await look(whole)).toMatchObject({
      ok: false,
      message: expect.stringContaining(`set up, but nobody can sign in at ${host}: `),
      remedy: 'test it on the page Users; a user with a password can still sign in',
    });
  } finally {
    await provider.stop();
  }
});

test('configuration: a wrong variable is named', async () => {
  const { status, find } = await doctor({ PORT: 'abc' });
  expect(status).toBe(1);
  expect(find('configuration')).toEqual({
    check: 'configuration',
    ok: false,
    message: 'PORT: "abc" is not allowed: a whole number from 0 to 65535',
    remedy: 'set the variable to an allowed value',
  });
});

test('without a database it says so, and creates nothing, not even the folder', async () => {
  const env = { DATA_DIR: `${folder.path}/nothing/here`, PORT: '1' };
  const { status, find } = await doctor(env);
  expect(status).toBe(1);
  expect(find('disk')).toMatchObject({ ok: true });
  expect(find('database')).toMatchObject({ ok: false, message: `there is none in ${env.DATA_DIR}` });
  expect(await readdir(folder.path)).not.toContain('nothing');
});

test('disk: a folder that can not be written is named', async () => {
  const { status, find } = await doctor({ DATA_DIR: '/dev/null/data', PORT: '1' });
  expect(status).toBe(1);
  expect(find('disk')).toMatchObject({
    ok: false,
    remedy: 'let this user write to /dev/null/data, or set DATA_DIR',
  });
  expect(find('database')).toMatchObject({ ok: false });
});

test('database: one that does not answer is named, without its password', async () => {
  const env = {
    ...(await folder.prepared('gone')),
    DATABASE_URL: 'postgres://uv:geheim@127.0.0.1:1/voucherd',
  };
  const { find, findings } = await doctor(env);
  expect(find('database')).toMatchObject({
    ok: false,
    message: 'PostgreSQL at 127.0.0.1:1 refuses connections',
    remedy: 'start it, or correct DATABASE_URL',
  });
  expect(JSON.stringify(findings)).not.toContain('geheim');
});

test('database: one that is newer than the program is not called up to date', async () => {
  const env = await folder.prepared('newer', ['migrate']);
  const database = openDatabase(`sqlite:${env['DATA_DIR'] ?? ''}/voucherd.sqlite`);
  await database.write('migrations').insert({ name: '9999_newer', done_at: 0 });
  await database.close();
  const { find } = await doctor(env);
  expect(find('database')).toMatchObject({ ok: false, message: expect.stringContaining('newer') });
});

test('database: one of a version before 1.0.0 is refused, with how its configuration is carried over', async () => {
  const env = await folder.prepared('before', ['migrate']);
  const database = openDatabase(`sqlite:${env['DATA_DIR'] ?? ''}/voucherd.sqlite`);
  await database.write('migrations').update({ name: '0044_keyFailures' });
  await database.close();
  const { find } = await doctor(env);
  expect(find('database')).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^the database is of a version before 1\.0\.0, .* config export FILE/),
    remedy: 'set DATA_DIR or DATABASE_URL to a new database',
  });
});

test('keys and sites: without any, the commands that add them are named', async () => {
  const { find } = await doctor(await folder.prepared('bare', ['migrate']));
  expect(find('keys')).toEqual({
    check: 'keys',
    ok: true,
    level: 'todo',
    message: 'none',
    remedy: `${program} key create --name N --scope write`,
  });
  expect(find('sites')).toMatchObject({
    level: 'todo',
    remedy: `${program} controller add --name N --kind unifi --url https://192.168.1.1`,
  });
  const withController = await doctor(await folder.prepared('controller', addController));
  expect(withController.find('sites')?.remedy).toBe(`${program} site add --name N --controller C`);
});

test('a service that was just installed is in order: what is missing are the next steps', async () => {
  const service = await startService();
  try {
    const { status, out, err } = await run(['doctor'], {
      DATA_DIR: service.dataDir,
      PORT: new URL(service.url).port,
    });
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^todo {2}keys +none\n +→ .*key create/m);
    expect(out).toMatch(/^todo {2}sites +none active\n +→ /m);
    expect(out).toMatch(/^ok {4}last hour +nothing went wrong$/m);
    expect(out).not.toContain('FAIL');
  } finally {
    await service.stop();
  }
});
