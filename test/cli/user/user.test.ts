import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { nodeSystem } from '../../../src/lib/system.js';
import { main } from '../../../src/main.js';
import { generatePassword, makePasswords } from '../../../src/users/passwords.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { totpBinding } from '../../../src/secrets/encryption.js';
import { expectOneLine, program } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { addSite } from '../../support/records.js';

const passwords = makePasswords(nodeSystem);

describe('voucherd user', () => {
  const cli = forAllTests(makeCliFixture, 'remove');
  const user = (...argv: string[]) => cli.voucherd('user', ...argv);
  const create = (name: string, ...options: string[]) =>
    user(
      'create',
      '--name',
      name,
      '--generate',
      ...(options.includes('--role') ? [] : ['--role', 'staff']),
      ...options,
    );
  const users = async () => JSON.parse((await user('list', '--json')).out) as Record<string, unknown>[];
  const lastEntry = async () => (await cli.tables.auditLog.newest({}, undefined, 1))[0];

  describe('list, while there is none', () => {
    test('says what to do', async () => {
      expect(await user('list')).toEqual({
        status: 0,
        out: '',
        err: `no users yet: ${program} user create --name N --role admin\n`,
      });
      expect(await user('list', '--json')).toEqual({ status: 0, out: '[]\n', err: '' });
    });
  });

  describe('create', () => {
    test('with --generate prints the password, alone, and notes that it has to be changed', async () => {
      const { status, out, err } = await create('Chefin', '--role', 'admin');
      expect([status, err]).toEqual([0, '']);
      expect(out).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}\n$/);
      const [stored] = await cli.tables.users.all();
      expect(stored).toMatchObject({ name: 'Chefin', role: 'admin', passwordIsTemporary: true });
      expect(await passwords.verify(out.trim(), stored!.passwordHash)).toBe(true);
      expect(await lastEntry()).toMatchObject({
        action: 'user.create',
        actorKind: 'command line',
        actorName: null,
        subjectName: 'Chefin',
      });
    });

    test('hashes the password at the cost of production', async () => {
      const io = { env: cli.env, out: () => undefined, err: () => undefined };
      expect(await main(['user', 'create', '--name', 'Teuer', '--role', 'staff', '--generate'], io)).toBe(0);
      const stored = await cli.tables.users.findByKey('teuer');
      expect(stored?.passwordHash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    });

    test('takes the password from standard input, and prints the name', async () => {
      const password = generatePassword(nodeSystem);
      const ended = await cli.typing(
        Readable.from([`${password}\n`]),
        ...['user', 'create', '--name', ' Anna ', '--role', 'staff', '--password-file', '-'],
      );
      expect(ended).toEqual({ status: 0, out: 'Anna\n', err: '' });
      const stored = await cli.tables.users.findByKey('anna');
      expect(await passwords.verify(password, stored!.passwordHash)).toBe(true);
      expect(stored).toMatchObject({ passwordIsTemporary: false });
      expect(await cli.leaked([password])).toEqual([]);
    });

    test('asks for the password on a terminal, without showing it', async () => {
      const password = generatePassword(nodeSystem);
      const terminal = Object.assign(new PassThrough({}), { isTTY: true }).on(
        'resume',
        function (this: PassThrough) {
          if (!this.writableEnded) this.end(`${password}\r`);
        },
      );
      const ended = await cli.typing(terminal, 'user', 'create', '--name', 'Bert', '--role', 'staff');
      expect(ended).toEqual({ status: 0, out: 'Bert\n', err: 'the password (it is not shown): \n' });
      expect(await cli.leaked([password])).toEqual([]);
    });

    test('with --json prints everything but hashes, and a password only when it made one', async () => {
      const { siteId } = await addSite(cli.tables);
      const { out } = await create(
        'Carla',
        ...['--email', 'carla@example.org', '--language', 'en', '--site', String(siteId), '--json'],
      );
      expect(JSON.parse(out)).toEqual({
        id: expect.any(Number),
        name: 'Carla',
        email: 'carla@example.org',
        role: 'staff',
        language: 'en',
        hasPassword: true,
        passwordIsTemporary: true,
        hasSecondFactor: false,
        disabledAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        lastSignInAt: null,
        siteIds: [siteId],
        state: 'enabled',
        password: expect.stringMatching(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/),
      });
    });

    test('refuses what is not allowed with one line each, and creates nobody', async () => {
      const before = await users();
      const refused = {
        '--role root --generate': '--role: "root" is not allowed: admin, staff or viewer',
        '--role staff --generate --language pl': '--language: "pl" is not allowed: de, en, es, fr, it, nl',
        '--role staff --generate --site x': '--site: "x" is not allowed',
        '--role staff --generate --site 99999': `there is no site 99999: see ${program} site list`,
        '--role staff --generate --email x': 'an e-mail address looks like',
        '--role staff --generate --name CHEFIN': 'there is a user with this name',
        '--role staff': 'the password is missing: give --password-file FILE',
        '--role staff --generate --password-env P': '--generate excludes --password-file',
        '--role staff --password geheimesWort': "unknown option '--password'",
      };
      for (const [options, line] of Object.entries(refused))
        expectOneLine(await user('create', '--name', 'x', ...options.split(' ')), line);
      expect(await users()).toEqual(before);
    });

    test('refuses a weak password without showing it', async () => {
      const file = await cli.file('passwort1234');
      const ended = await user('create', '--name', 'x', '--role', 'staff', '--password-file', file);
      expectOneLine(ended, 'voucherd: this password is too easy to guess');
      expect(ended.err).not.toContain('passwort1234');
    });
  });

  test('list shows a line for each user, without anything secret', async () => {
    const { status, out, err } = await user('list');
    expect([status, err]).toEqual([0, '']);
    expect(out.split('\n')[0]).toMatch(
      /^name +email +role +sites +second factor +created +last sign-in +state$/,
    );
    expect(out).toMatch(/^Chefin +- +admin +all +no .* enabled$/m);
    expect(out).toMatch(/^Carla +carla@example\.org +staff +\d+ +no .* enabled$/m);
    expect(out + (await user('list', '--json')).out).not.toMatch(/scrypt|Hash|sealed/);
  });

  test('role, disable and enable change a user, end the sessions, and are recorded', async () => {
    await create('Doris');
    const { id, signInVersion } = (await cli.tables.users.findByKey('doris'))!;
    const session = { id: 'x', userId: id, createdAt: 1, lastUsedAt: 1, address: null, browser: null };
    const entry = (await lastEntry())!;
    await cli.tables.sessions.begin(
      { ...session, secondFactor: false },
      { signInVersion, name: '' },
      9,
      entry,
    );
    expect(await user('role', 'DORIS', 'admin')).toEqual({
      status: 0,
      out: 'Doris: admin, enabled, without second factor\n',
      err: '',
    });
    expect(await cli.tables.sessions.ofUser(id)).toEqual([]);
    expect(await lastEntry()).toMatchObject({
      action: 'user.role',
      actorKind: 'command line',
      detail: { from: 'staff', to: 'admin' },
    });
    expect((await user('disable', 'Doris')).out).toBe('Doris: admin, disabled, without second factor\n');
    expect(await lastEntry()).toMatchObject({ action: 'user.disable', actorKind: 'command line' });
    expect(JSON.parse((await user('enable', 'Doris', '--json')).out)).toMatchObject({ id, state: 'enabled' });
    expect(await lastEntry()).toMatchObject({ action: 'user.enable', actorKind: 'command line' });
    await user('role', 'Doris', 'staff');
    expectOneLine(await user('role', 'Doris', 'root'), 'role: "root" is not allowed: admin, staff or viewer');
  });

  test('change gives another name and e-mail address, and a viewer is a role', async () => {
    await create('Frieda', '--role', 'viewer');
    expect(await user('change', 'frieda', '--name', 'Frieda Kurz', '--email', 'frieda@example.org')).toEqual({
      status: 0,
      out: 'Frieda Kurz: viewer, enabled, without second factor, sites: none\n',
      err: '',
    });
    expect(await lastEntry()).toMatchObject({
      action: 'user.change',
      actorKind: 'command line',
      detail: { formerName: 'Frieda', email: 'frieda@example.org', formerEmail: null },
    });
    const removed = await user('change', 'frieda@example.org', '--no-email', '--json');
    expect(JSON.parse(removed.out)).toMatchObject({ name: 'Frieda Kurz', email: null });
    expectOneLine(
      await user('change', 'Frieda Kurz'),
      'nothing to change: give --name, --email or --no-email',
    );
    expectOneLine(await user('change', 'Frieda Kurz', '--name', 'Chefin'), 'there is a user with this name');
    expectOneLine(await user('change', 'Niemand', '--name', 'x'), 'there is no user named "Niemand"');
  });

  test('reset-password takes a password or generates one', async () => {
    await create('Emil');
    const generated = await user('reset-password', 'Emil', '--generate');
    expect(generated).toMatchObject({ status: 0, err: '' });
    const verify = async (password: string) =>
      passwords.verify(password, (await cli.tables.users.findByKey('emil'))!.passwordHash);
    expect(await verify(generated.out.trim())).toBe(true);
    expect(await lastEntry()).toMatchObject({ action: 'user.password-reset', actorKind: 'command line' });
    const password = generatePassword(nodeSystem);
    expect(await user('reset-password', 'Emil', '--password-file', await cli.file(password))).toEqual({
      status: 0,
      out: 'Emil has another password\n',
      err: '',
    });
    expect(await verify(password)).toBe(true);
    expect(await lastEntry()).toMatchObject({ action: 'user.password', actorKind: 'command line' });
    const { out } = await user('reset-password', 'Emil', '--generate', '--json');
    expect(JSON.parse(out)).toEqual({ id: expect.any(Number), name: 'Emil', password: expect.any(String) });
    expectOneLine(await user('reset-password', 'Emil'), 'the password is missing');
  });

  test('reset-second-factor removes it, and says so when there is none', async () => {
    await create('Frieda');
    const { id } = (await cli.tables.users.findByKey('frieda'))!;
    const sealedTotpSecret = openSecrets({ secretKey: undefined, dataDir: cli.dataDir }).seal(
      'A'.repeat(32),
      totpBinding(id, 'secret'),
    );
    await cli.tables.users.change(id, () => ({
      values: { sealedTotpSecret },
      recoveryHashes: ['x'],
      endsSessions: false,
      audit: null,
    }));
    expect((await user('list')).out).toMatch(/^Frieda .* yes /m);
    expect((await user('reset-second-factor', 'Frieda')).out).toBe(
      'Frieda: staff, enabled, without second factor, sites: none\n',
    );
    expect(await cli.tables.recoveryCodes.countUnused(id)).toBe(0);
    expect(await lastEntry()).toMatchObject({
      action: 'user.second-factor-reset',
      actorKind: 'command line',
    });
    expectOneLine(await user('reset-second-factor', 'Frieda'), 'voucherd: this user has no second factor');
    expectOneLine(
      await user('reset-single-sign-on', 'Frieda'),
      'voucherd: this user has not used single sign-on yet',
    );
  });

  test('sites shows, assigns and takes away sites', async () => {
    await create('Gustav');
    const [first, second] = [await addSite(cli.tables), await addSite(cli.tables)].map(
      ({ siteId }) => siteId,
    );
    const shown = async (...argv: string[]) => (await user('sites', 'Gustav', ...argv)).out;
    expect(await shown()).toContain('sites: none\n');
    expect(await shown(String(second), String(first))).toContain(`sites: ${first}, ${second}\n`);
    expect(await lastEntry()).toMatchObject({ action: 'user.sites', actorKind: 'command line' });
    expect(await shown()).toContain(`sites: ${first}, ${second}\n`);
    expectOneLine(
      await user('sites', 'Gustav', '99999'),
      `voucherd: there is no site 99999: see ${program} site list`,
    );
    expectOneLine(await user('sites', 'Gustav', '1', '--none'), 'voucherd: --none excludes ids of sites');
    expect(JSON.parse(await shown('--json'))).toMatchObject({ siteIds: [first, second] });
    expect(await shown('--none')).toContain('sites: none\n');
  });

  test('a name that no user has gives one clear line', async () => {
    for (const command of [
      ...['role nobody staff', 'disable nobody', 'enable nobody', 'reset-password nobody --generate'],
      ...['reset-second-factor nobody', 'sites nobody'],
    ])
      expectOneLine(
        await user(...command.split(' ')),
        `voucherd: there is no user named "nobody": see ${program} user list`,
      );
  });
});

test('a second factor that the key does not open is named with its remedy', async () => {
  const cli = await makeCliFixture();
  await cli.voucherd('user', 'create', '--name', 'Anna', '--role', 'admin', '--generate');
  const { id } = (await cli.tables.users.findByKey('anna'))!;
  const secrets = openSecrets({ secretKey: Buffer.alloc(32, 1), dataDir: cli.dataDir });
  const sealedTotpSecret = secrets.seal('A'.repeat(32), totpBinding(id, 'secret'));
  await cli.tables.users.change(id, () => ({
    values: { sealedTotpSecret },
    endsSessions: false,
    audit: null,
  }));
  openSecrets({ secretKey: undefined, dataDir: cli.dataDir });
  const remedy = `${program} user reset-second-factor "Anna"`;
  expect((await cli.voucherd('doctor')).out).toContain(remedy);
  expectOneLine(
    await cli.voucherd('secret', 'rotate'),
    `second factor of "Anna" was sealed with another key`,
  );
  await cli.voucherd('user', 'reset-second-factor', 'Anna');
  expect((await cli.voucherd('doctor')).out).not.toContain(remedy);
  await cli.remove();
});
