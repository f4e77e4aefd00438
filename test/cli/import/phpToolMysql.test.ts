import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectOneLine, run } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { hasMariaDb, startMariaDb } from '../../support/mariadb.js';
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
  phpToolUserPassword,
} from '../../support/phpToolDatabase.js';
import { startService } from '../../support/service.js';
import { signIn } from '../../support/web.js';

const password = 'nur-lesen-7';
const env = { APP_KEY: phpToolAppKey, DB_PASSWORD: password };
const given = ['--password-env', 'DB_PASSWORD', '--app-key-env', 'APP_KEY', '--json'];

const describeWithMariaDb = hasMariaDb ? describe : describe.skip;

describeWithMariaDb(
  'an import from a MariaDB (skipped where Debian’s mariadb-server is not installed)',
  () => {
    let cli: CliFixture;
    const server = forAllTests(() => startMariaDb('--default-time-zone=-03:00'), 'stop');
    const unifi = forAllTests(startPhpToolConsole, 'stop');
    beforeAll(async () => {
      await server.execute(
        `create user leser@localhost identified by '${password}'; grant select on *.* to leser@localhost`,
      );
      for (const state of phpToolStates) {
        const name = `tool_${state}`;
        await server.execute(`create database ${name} character set utf8mb4`);
        await server.execute(phpToolSql(state, { address: unifi.url, serverHours: -3 }), name);
      }
    });
    beforeEach(async () => {
      cli = await makeCliFixture(env);
    });
    afterEach(() => cli.remove());

    const from = (state: string): string[] => [
      '--from',
      `mysql://leser@localhost/tool_${state}?socket=${server.socket}`,
    ];

    test.each(phpToolStates)(
      'of state %s brings everything, and a second run changes nothing',
      async (state) => {
        const first = await cli.voucherd('import', 'php-tool', ...from(state), ...given);
        expect([first.status, first.err]).toEqual([0, '']);
        expect(countsIn(first.out).added).toEqual(expectedCounts(state));
        await expectImported(cli.tables, state);
        const second = countsIn((await cli.voucherd('import', 'php-tool', ...from(state), ...given)).out);
        expect(new Set(Object.values(second.added))).toEqual(new Set([0]));
        expect(await cli.leaked([password, phpToolPassword, phpToolAppKey])).toEqual([]);
      },
    );

    test.each([
      ['as it is by default', []],
      ['in the zone of the server', ['--skip-tz-utc']],
      [
        'with column names and one row for each insert',
        ['--complete-insert', '--skip-extended-insert', '--hex-blob'],
      ],
    ])('its own dump brings the same: %s', async (_, dumpOptions) => {
      await server.execute(
        `drop trigger if exists t; create trigger t before insert on vouchers for each row begin
       insert into sites (id, name) values (99, 'x;'); set new.used_count = 0; end;
       create or replace view all_sites as select * from sites`,
        'tool_D',
      );
      const file = join(cli.dataDir, 'dump.sql');
      await writeFile(file, await server.dump('tool_D', ...dumpOptions));
      const options = ['--dump', file, '--app-key-env', 'APP_KEY', '--server-time-zone', '-03:00', '--json'];
      const { status, out, err } = await cli.voucherd('import', 'php-tool', ...options);
      expect([status, err]).toEqual([0, '']);
      expect(countsIn(out).added).toEqual(expectedCounts('D'));
      await expectImported(cli.tables, 'D');
    });

    test('old keys list and create, and the old password signs in', async () => {
      const service = await startService();
      try {
        const own = { DATA_DIR: service.dataDir, ...env };
        const imported = await run(['import', 'php-tool', ...from('D'), ...given], own);
        expect(imported).toMatchObject({ status: 0 });
        const { certificates } = JSON.parse(imported.out) as { certificates: { controller: string }[] };
        await run(['controller', 'pin', certificates[0]!.controller, '--yes'], own);
        const key = phpToolKeys.write;
        const listed = await service.get('/vouchers.php?site_id=3', { key });
        expect(listed.body).toMatchObject({ vouchers: [{ voucher_code: '2222222222' }, {}, {}] });
        expect((await service.post('/vouchers.php', { site_id: 3, name: 'Neu' }, { key })).status).toBe(201);
        await signIn(service, 'chefin@example.org', phpToolUserPassword);
      } finally {
        await service.stop();
      }
    });

    test('a wrong password and an unknown database are one clear line without the password', async () => {
      const wrong = { ...env, DATA_DIR: cli.dataDir, DB_PASSWORD: 'falsch-8153' };
      expectOneLine(
        await run(['import', 'php-tool', ...from('D'), ...given], wrong),
        /can not be read \(ER_ACCESS_DENIED_ERROR\)/,
      );
      expectOneLine(
        await cli.voucherd('import', 'php-tool', ...from('none'), ...given),
        /can not be read \(ER_BAD_DB_ERROR\)|no table named sites/,
      );
    });
  },
);

describe('--from', () => {
  let cli: CliFixture;
  beforeAll(async () => {
    cli = await makeCliFixture(env);
  });
  afterAll(() => cli.remove());
  const importFrom = (...options: string[]) => cli.voucherd('import', 'php-tool', ...options);

  test.each([
    ['a password', ['--from', 'mysql://leser:geheim-4711@db/tool'], /must not hold the password/],
    ['another protocol', ['--from', 'postgres://leser@db/tool'], /--from is not valid/],
    ['no database', ['--from', 'mysql://leser@db/'], /names no database/],
    ['64 KiB', ['--from', 'x'.repeat(65_536)], /--from is not valid/],
    ['nothing', [], /give --from/],
    ['a dump, too', ['--from', 'mysql://leser@db/tool', '--dump', 'x'], /exclude each other/],
    [
      'a zone of the server',
      ['--from', 'mysql://leser@db/tool', '--server-time-zone', 'UTC'],
      /is for --dump/,
    ],
    ['an unknown zone', ['--dump', 'x', '--php-time-zone', 'Mars/Base'], /--php-time-zone: "Mars\/Base"/],
  ])('with %s is refused', async (_, options, message) => {
    const ended = await importFrom(...options);
    expectOneLine(ended, message);
    expect(ended.err).not.toContain('geheim-4711');
  });

  test('takes the password from config.php for the same account, and no other', async () => {
    const config = await cli.file("define('DB_USER', 'leser');define('DB_PASS', 'p');");
    // Nobody listens there, so the password was found when this fails by the connection.
    const at = (user: string) => ['--config', config, '--from', `mysql://${user}@127.0.0.1:1/tool`];
    expectOneLine(await importFrom(...at('leser')), /can not be read \(ECONNREFUSED\)/);
    expectOneLine(await importFrom(...at('root')), /the password of the database is missing/);
  });

  test('a server that answers something else, or hangs up, is one clear line, also with an empty password', async () => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const ended = await importFrom('--from', `mysql://leser@127.0.0.1:${String(port)}/tool`, ...given);
    expectOneLine(ended, /can not be read/);
    const withoutPassword = await run(
      ['import', 'php-tool', '--from', `mysql://leser@127.0.0.1:${String(port)}/tool`, ...given],
      { ...cli.env, DB_PASSWORD: '' },
    );
    expectOneLine(withoutPassword, /can not be read/);
    server.close();
  });
});
