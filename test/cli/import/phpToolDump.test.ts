import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { expectOneLine, run } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { makePostgresDatabase } from '../../support/databases.js';
import { forAllTests, forEachTest } from '../../support/fixture.js';
import { startService, type TestService } from '../../support/service.js';
import { makeBrowser, signIn } from '../../support/web.js';
import { makeFolder } from '../../support/folder.js';
import {
  countsIn,
  expectedCounts,
  expectImported,
  startPhpToolConsole,
} from '../../support/phpToolImport.js';
import {
  phpToolAppKey,
  phpToolKeys,
  phpToolPassword,
  phpToolSql,
  phpToolStates,
  phpToolTotpSecret,
  phpToolUserPassword,
} from '../../support/phpToolDatabase.js';

const unifi = forAllTests(startPhpToolConsole, 'stop');
const folder = forAllTests(makeFolder, 'remove');

const writeDump = async (text: string | Buffer): Promise<string> => {
  const file = join(folder.path, 'tool.sql');
  await writeFile(file, text);
  return file;
};
const options = (file: string) => [
  'import',
  'php-tool',
  '--dump',
  file,
  '--app-key-env',
  'APP_KEY',
  '--json',
];

describe('an import from a dump', () => {
  const cli = forEachTest(() => makeCliFixture({ APP_KEY: phpToolAppKey }), 'remove');

  test.each(phpToolStates)(
    'of state %s brings everything, and a second run changes nothing',
    async (state) => {
      const file = await writeDump(phpToolSql(state, { address: unifi.url }));
      const dry = await cli.voucherd(...options(file), '--dry-run');
      expect(countsIn(dry.out).added).toEqual(expectedCounts(state));
      expect(await cli.tables.sites.all()).toEqual([]);
      const first = await cli.voucherd(...options(file));
      expect(first.status).toBe(0);
      expect(countsIn(first.out).added).toEqual(expectedCounts(state));
      await expectImported(cli.tables, state);
      const second = countsIn((await cli.voucherd(...options(file))).out);
      expect(new Set(Object.values(second.added))).toEqual(new Set([0]));
      expect(second.present).toEqual(expectedCounts(state));
      await expectImported(cli.tables, state);
      expect(
        await cli.leaked([phpToolPassword, phpToolAppKey, 'klartext', phpToolTotpSecret, 'smtp-geheim']),
      ).toEqual([]);
    },
  );

  test('tells what is not moved, and shows the certificate to pin', async () => {
    const file = await writeDump(phpToolSql('D', { address: unifi.url, webhook: 'http://10.1.2.3/hook' }));
    const { out, err } = await cli.voucherd(...options(file).slice(0, -1));
    expect(out).toMatch(/^sites +3 added, 0 already there$/m);
    expect(err).toMatch(/recovery codes are not moved.*: 2$/m);
    expect(err).toMatch(/no password that can be moved.*: 4$/m);
    expect(err).toMatch(/templates that are switched off are not moved: 3$/m);
    expect(err).toMatch(/the webhook is not moved: .*WEBHOOK_ALLOW_PRIVATE/);
    expect(err).toMatch(/SMTP_URL/);
    expect(err).toContain(`--fingerprint ${unifi.fingerprint}`);
    expect(err).toMatch(/127\.0\.0\.1:9 does not answer/);
    expect(err).toMatch(/^next: pin the certificates above, then .*sync/m);
    const empty = await writeDump('CREATE TABLE `sites` (`id` int);');
    expect((await cli.voucherd(...options(empty).slice(0, -1))).err).toMatch(/^next: (?!pin).*sync/m);
  });

  test('tells of a dump that ends between two statements, and of tables that are not in it', async () => {
    const header = '-- MariaDB dump 10.19  Distrib 10.11\n';
    const whole = `${header}${phpToolSql('D', { address: unifi.url })}\n-- Dump completed on 2026-05-06\n`;
    const notesOf = async (text: string): Promise<string[]> => {
      const { out } = await cli.voucherd(...options(await writeDump(text)), '--dry-run');
      return (JSON.parse(out) as { notes: string[] }).notes;
    };
    const cutOff = /^the dump does not end with "-- Dump completed"/;
    const absent = /^the source has no tables for these, .*: (.*)$/;
    expect((await notesOf(whole)).filter((note) => cutOff.test(note) || absent.test(note))).toEqual([]);
    const cut = await notesOf(whole.slice(0, whole.indexOf('CREATE TABLE `vouchers`')));
    expect(cut[0]).toMatch(cutOff);
    expect(absent.exec(cut[1] ?? '')?.[1]).toContain('vouchers');
    // phpMyAdmin and --skip-comments end with their last statement.
    expect((await notesOf(phpToolSql('D', { address: unifi.url })))[0]).not.toMatch(cutOff);
  });

  test('a dry run without a database compares with an empty one, and creates nothing', async () => {
    const file = await writeDump(phpToolSql('D', { address: unifi.url }));
    const dataDir = join(folder.path, 'none yet');
    for (const yes of [[], ['--yes']]) {
      const { status, out, err } = await run([...options(file).slice(0, -1), '--dry-run', ...yes], {
        DATA_DIR: dataDir,
        APP_KEY: phpToolAppKey,
      });
      expect(status).toBe(0);
      expect(out).toMatch(/^vouchers +5 would be added, 0 already there$/m);
      expect(err.split('\n')[0]).toBe(`there is no database in ${dataDir} yet: compared with an empty one`);
      expect(err).toMatch(/\nnothing was written: this was a dry run\n$/);
      expect(err).not.toContain('making a new database');
      expect(existsSync(dataDir)).toBe(false);
    }
  });

  test('moves the webhook in its own format', async () => {
    const file = await writeDump(
      phpToolSql('A', { address: unifi.url, webhook: 'https://hooks.example.org/a/b' }),
    );
    await cli.voucherd(...options(file));
    await cli.voucherd(...options(file));
    expect((await cli.tables.webhooks.all()).map(({ name, format }) => [name, format])).toEqual([
      ['PHP-Tool', 'php-tool'],
    ]);
  });

  test('reads a compressed dump', async () => {
    const file = await writeDump(gzipSync(phpToolSql('D', { address: unifi.url })));
    expect(countsIn((await cli.voucherd(...options(file))).out).added).toEqual(expectedCounts('D'));
  });

  test.each([
    [
      'another key',
      { APP_KEY: Buffer.alloc(32, 'x').toString('base64') },
      /passwords of these sites do not open with this APP_KEY.*: 3, 7"/,
    ],
    ['no key', { APP_KEY: 'short' }, /APP_KEY is not valid/],
  ])('with %s writes nothing', async (_, env, message) => {
    const file = await writeDump(phpToolSql('D', { address: unifi.url }));
    expectOneLine(await run(options(file), { ...cli.env, ...env }), message);
    expect(await cli.tables.controllers.all()).toEqual([]);
  });

  test('refuses two rows for one site of a console, and merges them when told to', async () => {
    const double =
      "INSERT INTO `sites` (`id`,`name`,`site_id`,`unifi_controller_url`,`unifi_username`,`unifi_password`) VALUES (20,'Doppelt','default','" +
      `${unifi.url}','voucherd','${phpToolPassword}');\nINSERT INTO \`vouchers\` (\`id\`,\`site_id\`,\`voucher_code\`,\`voucher_name\`,\`max_uses\`,\`expire_minutes\`,\`created_at\`) VALUES (30,20,'7777777777','x',1,1,'2026-01-01 00:00:00');`;
    const file = await writeDump(`${phpToolSql('D', { address: unifi.url })}\n${double}`);
    expectOneLine(
      await cli.voucherd(...options(file)),
      /sites 3, 20 are the same site of the same controller.*--merge-sites/,
    );
    expect(await cli.tables.controllers.all()).toEqual([]);
    expect((await cli.voucherd(...options(file), '--merge-sites')).status).toBe(0);
    expect((await cli.tables.sites.all()).map(({ id }) => id)).toEqual([3, 7, 9]);
    expect((await cli.tables.vouchers.newest(3, 10)).map(({ code }) => code)).toContain('7777777777');
  });

  test('refuses an id that another site has, an unknown scope, and files that are no dump', async () => {
    const file = await writeDump(phpToolSql('D', { address: unifi.url }));
    await cli.voucherd('controller', 'add', '--name', 'K', '--kind', 'simulated');
    for (const name of ['1', '2', '3'])
      await cli.tables.sites.add({ name, active: true, controllerId: 1, controllerSite: name }, 0);
    expectOneLine(await cli.voucherd(...options(file)), /these ids belong to other sites here.*: 3"/);
    const scope = await writeDump(phpToolSql('D', { address: unifi.url }).replace("'read',30", "'admin',30"));
    expectOneLine(await cli.voucherd(...options(scope)), /neither read nor write.*: 6"/);
    expectOneLine(await cli.voucherd(...options(await writeDump('hello'))), /not complete/);
    expectOneLine(await cli.voucherd(...options(await writeDump('select 1;'))), /no table named sites/);
    expectOneLine(
      await cli.voucherd(...options(join(folder.path, 'none'))),
      /the dump .*none.* can not be read \(ENOENT\)/,
    );
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, '\n'));
    expectOneLine(await cli.voucherd(...options(await writeDump(bomb))), /grows too much when/);
    for (const insert of [
      "INSERT INTO `sites` SET `id` = 50, `name` = 'x';",
      "INSERT INTO sites SET id = 50, name = 'x' ON DUPLICATE KEY UPDATE name = VALUES(name);",
      'REPLACE INTO `sites` SELECT * FROM `other`;',
    ])
      expectOneLine(
        await cli.voucherd(
          ...options(await writeDump(`${phpToolSql('D', { address: unifi.url })}\n${insert}`)),
        ),
        /holds an INSERT … (SET|SELECT) for sites, whose rows can't be read/,
      );
    expect((await cli.tables.controllers.all()).map(({ name }) => name)).toEqual(['K']);
  });

  test('refuses a site of a console that has another id here', async () => {
    const sql = phpToolSql('D', { address: unifi.url });
    await cli.voucherd(...options(await writeDump(sql)));
    await cli.database.write('vouchers').where('site_id', 7).delete();
    await cli.database.write('user_sites').where('site_id', 7).delete();
    await cli.database.write('sites').where('id', 7).update({ id: 12 });
    expectOneLine(
      await cli.voucherd(...options(await writeDump(sql))),
      /nothing was imported: these sites are here already, with other ids.*: 7 is 12 here"/,
    );
    expect((await cli.tables.sites.all()).map(({ id }) => id)).toEqual([3, 9, 12]);
  });

  test('knows a controller whose password was changed here', async () => {
    const file = await writeDump(phpToolSql('D', { address: unifi.url }));
    await cli.voucherd(...options(file));
    const [controller] = await cli.tables.controllers.all();
    const change = ['controller', 'credentials', controller!.name, '--password-env', 'NEW_PASSWORD'];
    const changed = await run([...change, '--username', 'voucherd'], {
      ...cli.env,
      NEW_PASSWORD: 'neu-4711',
    });
    expect(changed.status).toBe(0);
    const { status, out } = await cli.voucherd(...options(file));
    expect(status).toBe(0);
    expect(new Set(Object.values(countsIn(out).added))).toEqual(new Set([0]));
    expect(out).toContain(`another password here than in the tool, and keep it: ${controller!.name}`);
  });

  test.each([
    ['alike', ['WLAN²', 'WLAN2'], ['WLAN²', 'WLAN2 2']],
    ['cut within a character', [`${'x'.repeat(89)}😀`], [`${'x'.repeat(89)}\ufffd`]],
  ])('names of templates that are %s do not stop it', async (_, names, stored) => {
    const templates = names.map(
      (name, index) =>
        `INSERT INTO \`voucher_templates\` (\`id\`,\`name\`,\`max_uses\`) VALUES (${String(index + 10)},'${name}',${String(index + 1)});`,
    );
    const file = await writeDump([phpToolSql('D', { address: unifi.url }), ...templates].join('\n'));
    const first = await cli.voucherd(...options(file));
    expect([first.status, first.err]).toEqual([0, '']);
    expect((await cli.tables.profiles.all()).map(({ name }) => name)).toEqual(expect.arrayContaining(stored));
    expect(countsIn((await cli.voucherd(...options(file))).out).added).toMatchObject({ profiles: 0 });
  });

  test('users of a console as long as the tool allows do not stop it', async () => {
    const accounts = ['a', 'b'].map(
      (ending, index) =>
        'INSERT INTO `sites` (`id`,`name`,`site_id`,`unifi_controller_url`,`unifi_username`,`unifi_password`) VALUES ' +
        `(${String(index + 20)},'x','s','${unifi.url}','${'u'.repeat(254)}${ending}','p');`,
    );
    const file = await writeDump([phpToolSql('D', { address: unifi.url }), ...accounts].join('\n'));
    const first = await cli.voucherd(...options(file));
    expect([first.status, first.err]).toEqual([0, '']);
    expect(countsIn(first.out).added).toMatchObject({ controllers: 4, sites: 5 });
    const second = countsIn((await cli.voucherd(...options(file))).out);
    expect(new Set(Object.values(second.added))).toEqual(new Set([0]));
  });

  test('a run that was interrupted is completed by the next one', async () => {
    const file = await writeDump(phpToolSql('D', { address: unifi.url }));
    await cli.voucherd(...options(file));
    await cli.database.write('vouchers').where('id', '>', 2).delete();
    await cli.database.write('users').where('name', 'weg@example.org').delete();
    const { added } = countsIn((await cli.voucherd(...options(file))).out);
    expect(added).toMatchObject({ controllers: 0, sites: 0, keys: 0, users: 1, vouchers: 3 });
  });
});

test('an import into PostgreSQL is the same, and later ids follow the imported ones', async () => {
  const own = await makePostgresDatabase();
  const cli = await makeCliFixture({ APP_KEY: phpToolAppKey, DATABASE_URL: own.url });
  try {
    const file = await writeDump(phpToolSql('D', { address: unifi.url }));
    expect(countsIn((await cli.voucherd(...options(file))).out).added).toEqual(expectedCounts('D'));
    await expectImported(cli.tables, 'D');
    const second = countsIn((await cli.voucherd(...options(file))).out);
    expect(new Set(Object.values(second.added))).toEqual(new Set([0]));
    const site = { name: 'Neu', active: true, controllerId: 1, controllerSite: 'neu' };
    expect(await cli.tables.sites.add(site, 0)).toBe(10);
    await cli.voucherd('key', 'create', '--name', 'Neu', '--scope', 'read');
    expect((await cli.tables.apiKeys.all()).at(-1)?.id).toBe(9);
  } finally {
    await cli.remove();
    await own.drop();
  }
});

test('clients of the tool go on with their keys and ids, and people with their passwords', async () => {
  const service: TestService = await startService();
  try {
    const env = { DATA_DIR: service.dataDir, APP_KEY: phpToolAppKey };
    const file = await writeDump(phpToolSql('D', { address: unifi.url }));
    const imported = await run(options(file), env);
    expect([imported.status, imported.err]).toEqual([0, expect.any(String)]);
    const [controller] = (JSON.parse(imported.out) as { certificates: { controller: string }[] })
      .certificates;
    expect((await run(['controller', 'pin', controller!.controller, '--yes'], env)).status).toBe(0);

    const listed = await service.get('/vouchers.php?site_id=3', { key: phpToolKeys.read });
    expect(
      (listed.body as { vouchers: { voucher_code: string }[] }).vouchers.map(
        (voucher) => voucher.voucher_code,
      ),
    ).toEqual([...['2222222222', '3333333333', '1111111111']]);
    const order = { site_id: 7, name: 'Neu' };
    expect((await service.post('/vouchers.php', order, { key: phpToolKeys.read })).status).toBe(403);
    expect((await service.get('/sites.php', { key: phpToolKeys.off })).status).toBe(401);
    const created = await service.post('/vouchers.php', order, { key: phpToolKeys.write });
    expect(created).toMatchObject({ status: 201, body: { site: 'Anna\'s "Café"' } });
    expect(unifi.vouchers('cafe')).toHaveLength(1);

    expect(
      (await (await signIn(service, 'chefin@example.org', phpToolUserPassword)).get('/users')).status,
    ).toBe(200);
    const wrong = await makeBrowser(service).post('/session', { login: 'Chefin', password: 'falsch' });
    expect(wrong.status).toBe(401);
    const code = new TOTP({ secret: phpToolTotpSecret }).generate();
    await signIn(service, 'empfang@example.org', phpToolUserPassword, code);
  } finally {
    await service.stop();
  }
});
