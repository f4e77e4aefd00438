import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sqlite3 from 'sqlite3';
import { acquireServiceLock } from '../../../src/database/serviceLock.js';
import { openDatabase } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { runMigrations } from '../../../src/database/migrator.js';
import { markUnfinishedCopy } from '../../../src/database/unfinishedCopy.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { openWebhook } from '../../../src/webhooks/webhooks.js';
import { makeTables } from '../../../src/app/tables.js';
import { readAllRows } from '../../support/allRows.js';
import { childEnv, root } from '../../support/built.js';
import { expectOneLine, program, run, startProgram, type Ended } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { someRecord } from '../../support/records.js';
import { until } from '../../support/until.js';

const address = 'https://hooks.example.org/services/geheimerPlatzhalter3Kw';
const apiKey = 'geheimerApiPlatzhalter8Rt';
const passPhrase = 'vier Pferde ziehen leise';

let cli: CliFixture;
let folder: TestFolder;
let backups = 0;
const at = (...parts: string[]) => join(folder.path, ...parts);
const newFile = () => at(`${String((backups += 1))}.backup`);
const keyFile = () => join(cli.dataDir, 'secret.key');
const databaseFile = () => join(cli.dataDir, 'voucherd.sqlite');

beforeAll(async () => {
  folder = await makeFolder();
  cli = await makeCliFixture({ K: apiKey, PHRASE: passPhrase, OTHER_PHRASE: 'vier Pferde ziehen laut' });
  await cli.add('Chat', 'slack', address);
  for (const line of [
    'controller add --name Konsole --kind unifi --url https://x --api-key-env K',
    'controller add --name Haus --kind simulated',
    'site add --name Hauptgebäude --controller Haus',
    'controller test Haus --create',
    'key create --name Kasse --scope write',
  ])
    expect([line, await cli.voucherd(...line.split(' '))]).toEqual([
      line,
      expect.objectContaining({ status: 0 }),
    ]);
  for (let index = 0; index < 20; index += 1)
    await cli.tables.vouchers.record(someRecord({ siteId: 1, controllerId: 2 }));
});
afterAll(async () => {
  expect(
    await cli.leaked([address, apiKey, passPhrase, readFileSync(keyFile(), 'utf8').trim().toUpperCase()]),
  ).toEqual([]);
  await cli.remove();
  await folder.remove();
});

const backUp = async (...options: string[]): Promise<string> => {
  const file = newFile();
  expect(await cli.voucherd('backup', file, ...options)).toMatchObject({ status: 0 });
  return file;
};
const restore = (file: string, dataDir: string, ...options: string[]): Promise<Ended> =>
  run(['restore', file, '--data-dir', dataDir, ...options], {
    PHRASE: passPhrase,
    OTHER_PHRASE: 'vier Pferde ziehen laut',
  });
const execute = (file: string, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const db = new sqlite3.Database(file, () =>
      db.exec(sql, (error) => db.close(() => (error ? reject(error) : resolve()))),
    );
  });
let folders = 0;
const newFolder = () => at(`restored-${String((folders += 1))}`);

describe('backup', () => {
  test('refuses an unfinished copy', async () => {
    const own = await makeFolder();
    await putSqliteDatabase(own.path);
    const database = openDatabase(`sqlite:${own.path}/voucherd.sqlite`);
    await markUnfinishedCopy(database.write, { identity: 'x', label: '/var/lib/voucherd/old.sqlite' });
    await database.close();
    const file = newFile();
    const ended = await run(['backup', file], { DATA_DIR: own.path });
    expectOneLine(ended, 'the database is an unfinished copy of /var/lib/voucherd/old.sqlite');
    expect(ended.status).toBe(5);
    expect(existsSync(file)).toBe(false);
    await own.remove();
  });

  test('makes one verified file for this user alone, and says what to keep elsewhere', async () => {
    const file = newFile();
    const { status, out, err } = await cli.voucherd('backup', file);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(
      new RegExp(
        `^${file}: \\d+\\.\\d MB, 20 vouchers, as of \\S+Z, verified\nsha256 [0-9a-f]{64}\n` +
          `The secret key is not in it: keep a copy of ${keyFile()} in another place. Without it, 2 stored secrets can not be opened.\n$`,
      ),
    );
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder.path).filter((name) => name.startsWith(basename(file)))).toEqual([
      basename(file),
    ]);
    expect(readFileSync(file).includes(readFileSync(keyFile(), 'utf8').trim())).toBe(false);
  });

  test('--json has the counts of all tables and the hash of the file', async () => {
    const { createHash } = await import('node:crypto');
    const file = newFile();
    const { out } = await cli.voucherd('backup', file, '--json');
    const bytes = readFileSync(file);
    expect(JSON.parse(out)).toMatchObject({
      ...{ file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      ...{ schema: migrations.at(-1)?.name, hasKey: false, key: keyFile(), sealedValues: 2, warnings: [] },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      rows: expect.objectContaining({ vouchers: 20, sites: 1, controllers: 2, webhooks: 1, simulated_2: 0 }),
    });
  });

  test('does not write to the database, not even to migrate it', async () => {
    const older = newFolder();
    const database = openDatabase(`sqlite:${join(older, 'voucherd.sqlite')}`);
    await runMigrations(database, migrations.slice(0, 8));
    await database.close();
    const before = readFileSync(join(older, 'voucherd.sqlite'));
    const ended = await run(['backup', newFile(), '--json'], { DATA_DIR: older });
    expect(ended).toMatchObject({ status: 0, err: '' });
    expect(JSON.parse(ended.out)).toMatchObject({ schema: migrations[7]?.name, sealedValues: null });
    expect(readFileSync(join(older, 'voucherd.sqlite')).equals(before)).toBe(true);
  });

  test('overwrites nothing', async () => {
    const file = newFile();
    writeFileSync(file, 'mine');
    expectOneLine(
      await cli.voucherd('backup', file),
      `${file} exists already: it is not overwritten; name another file`,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expectOneLine(
      await cli.voucherd('backup', folder.path),
      'is a folder: name a file that does not exist yet',
    );
  });

  test.each([
    ['a folder that does not exist', () => at('nowhere', 'x'), "can't be created"],
    ['a folder where nothing can be made', () => '/proc/voucherd.backup', "can't be created"],
    ['a name that is too long', () => at('x'.repeat(70_000)), "can't be created: the name is too long"],
    ['standard output', () => '-', 'name a file'],
  ])('is refused for %s', async (_, file, line) => {
    expectOneLine(await cli.voucherd('backup', file()), line);
  });

  test('is refused where no database is, and makes none', async () => {
    const empty = newFolder();
    expectOneLine(await run(['backup', newFile()], { DATA_DIR: empty }), 'there is no database in');
    expect(existsSync(empty)).toBe(false);
  });

  test('of a damaged database leaves no file', async () => {
    const damaged = newFolder();
    mkdirSync(damaged);
    const copy = join(damaged, 'voucherd.sqlite');
    copyFileSync(await backUp(), copy);
    const bytes = readFileSync(copy);
    writeFileSync(copy, bytes.fill(0x5a, 4096 * 3, 4096 * 12));
    const file = newFile();
    expectOneLine(await run(['backup', file], { DATA_DIR: damaged }), 'damaged');
    expect(readdirSync(folder.path).filter((name) => name.startsWith(`${String(backups)}.backup`))).toEqual(
      [],
    );
  });

  test('a pass phrase that is short, not repeated alike, or without --with-key is refused', async () => {
    const file = newFile();
    const short = await cli.file('kurz');
    expectOneLine(
      await cli.voucherd('backup', file, '--with-key', '--pass-phrase-file', short),
      'at least 12 characters',
    );
    expectOneLine(await cli.voucherd('backup', file, '--pass-phrase-env', 'PHRASE'), 'is for --with-key');
    expectOneLine(await cli.voucherd('backup', file, '--with-key'), 'give --pass-phrase-file FILE');
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    const answers = [passPhrase, 'vier Pferde ziehen laut'];
    const typed = run(['backup', file, '--with-key'], cli.env, undefined, terminal);
    for (const answer of answers) {
      await until(
        'a prompt',
        () => terminal.listenerCount('keypress') > 0 || terminal.listenerCount('data') > 0,
      );
      terminal.write(`${answer}\n`);
      await until('the answer was read', () => terminal.readableLength === 0);
      await new Promise(setImmediate);
    }
    expect(await typed).toMatchObject({
      status: 2,
      err: expect.stringContaining('the two pass phrases are not the same'),
    });
    expect(existsSync(file)).toBe(false);
  });

  test('--with-key is refused without a key, and while a rotation is not finished', async () => {
    const empty = newFolder();
    const env = { DATA_DIR: empty, PHRASE: passPhrase };
    await run(['migrate', '--yes'], env);
    const withKey = ['--with-key', '--pass-phrase-env', 'PHRASE'];
    expectOneLine(await run(['backup', newFile(), ...withKey], env), 'there is no secret key in');
    expect((await run(['backup', newFile()], env)).out).toContain(
      'and not needed: nothing is sealed with it',
    );
    writeFileSync(join(empty, 'secret.key'), '0a'.repeat(32));
    writeFileSync(join(empty, 'secret.key.old'), '0b'.repeat(32));
    expectOneLine(
      await run(['backup', newFile(), ...withKey], env),
      'a rotation of the secret key was interrupted',
    );
  });

  test('a signal ends it, and leaves nothing', async () => {
    const file = newFile();
    class Interrupting extends EventEmitter {
      override on(name: string, listener: () => void): this {
        super.on(name, listener);
        if (name === 'SIGHUP') this.emit('SIGINT');
        return this;
      }
    }
    expectOneLine(
      await run(['backup', file], cli.env, new Interrupting()),
      'voucherd: interrupted: no backup was made',
    );
    expect(readdirSync(folder.path).filter((name) => name.startsWith(`${String(backups)}.backup`))).toEqual(
      [],
    );
  });

  test('killed in the middle, it leaves no half file under the name; the next one names what is left', async () => {
    const copied = newFolder();
    expect(await restore(await backUp(), copied, '--key-file', keyFile())).toMatchObject({ status: 0 });
    // A file without a log, locked: the backup waits for it after the snapshot was taken.
    const simulated = join(copied, 'simulated-2.sqlite');
    await execute(simulated, 'pragma journal_mode = delete');
    const holder = new sqlite3.Database(simulated);
    await new Promise<void>((resolve, reject) => {
      holder.exec('begin exclusive', (error) => (error ? reject(error) : resolve()));
    });
    const file = newFile();
    const killed = startProgram(['backup', file], { DATA_DIR: copied });
    const partial = await until('a file in the making', () =>
      readdirSync(folder.path).find(
        (name) =>
          name.startsWith(`${String(backups)}.backup.`) &&
          name.endsWith('.partial') &&
          statSync(at(name)).size > 0,
      ),
    );
    killed.process.kill('SIGKILL');
    await killed.ended;
    await new Promise((resolve) => holder.close(resolve));
    expect(existsSync(file)).toBe(false);
    expect((statSync(at(partial)).mode & 0o777).toString(8)).toBe('600');
    const next = await run(['backup', file], { DATA_DIR: copied });
    expect(next).toMatchObject({
      status: 0,
      err: expect.stringContaining(
        `warning: an interrupted backup has left ${at(partial)}; if none is running: rm ${at(partial)}\n`,
      ),
    });
  });
});

describe('restore', () => {
  test('makes the same database elsewhere, record by record', async () => {
    const file = await backUp();
    const dataDir = newFolder();
    const { status, out, err } = await restore(file, dataDir, '--key-file', keyFile());
    expect({ status, err: err.replace(/^it belongs to root.*\n/, '') }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(
      new RegExp(
        `^restored ${dataDir}/voucherd.sqlite: 20 vouchers, as of \\S+Z, from version \\S+\n` +
          `the secret key is in ${dataDir}/secret.key\nthe key opens all of the 2 stored secrets\n` +
          `next: start the service, then DATA_DIR=${dataDir} ${program} doctor\n$`,
      ),
    );
    expect(await readAllRows(join(dataDir, 'voucherd.sqlite'))).toEqual(await readAllRows(databaseFile()));
    expect(await readAllRows(join(dataDir, 'simulated-2.sqlite'))).toEqual(
      await readAllRows(join(cli.dataDir, 'simulated-2.sqlite')),
    );
    for (const name of readdirSync(dataDir))
      expect([name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]).toEqual([name, '600']);
    expect(readdirSync(dataDir).filter((name) => name.includes('partial'))).toEqual([]);
    const listed = await run(['webhook', 'list', '--json'], { DATA_DIR: dataDir });
    expect(listed).toMatchObject({ status: 0, out: expect.stringContaining('hooks.example.org') });
  });

  test('takes the key out of a backup that has it, with the pass phrase', async () => {
    const file = await backUp('--with-key', '--pass-phrase-env', 'PHRASE');
    expect(readFileSync(file).includes(readFileSync(keyFile(), 'utf8').trim())).toBe(false);
    const dataDir = newFolder();
    expectOneLine(
      await restore(file, dataDir, '--pass-phrase-env', 'OTHER_PHRASE'),
      'the pass phrase is not the one that it was sealed with; without the key: --without-key, or --key-file',
    );
    expect(readdirSync(dataDir)).toEqual(['voucherd.sqlite.lock']);
    expect(await restore(file, dataDir, '--pass-phrase-env', 'PHRASE')).toMatchObject({ status: 0 });
    expect(readFileSync(join(dataDir, 'secret.key'))).toEqual(readFileSync(keyFile()));
    const database = openDatabase(`sqlite:${join(dataDir, 'voucherd.sqlite')}`);
    const [chat] = await makeTables(database).webhooks.all();
    await database.close();
    expect(openWebhook(chat!, openSecrets({ secretKey: undefined, dataDir })).address).toBe(address);
  });

  test('without the key it names each secret that can not be opened, and what to do', async () => {
    const file = await backUp();
    const { status, out, err } = await restore(file, newFolder());
    expect(status).toBe(0);
    expect(out).not.toContain('the key opens');
    expect(err).toContain(
      'warning: webhook "Chat" can not be opened: put back the key that it was sealed with, or',
    );
    expect(err).toContain('warning: controller "Konsole" can not be opened');
    const listed = JSON.parse((await restore(file, newFolder(), '--json')).out) as { unopenable: object[] };
    expect(listed.unopenable).toHaveLength(2);
  });

  test('refuses a key that is not the one of the backup', async () => {
    const other = at('other.key');
    writeFileSync(other, '0b'.repeat(32));
    const file = await backUp();
    expectOneLine(
      await restore(file, newFolder(), '--key-file', other),
      'what --key-file names is not the key of this backup',
    );
    const dataDir = newFolder();
    mkdirSync(dataDir);
    copyFileSync(other, join(dataDir, 'secret.key'));
    expectOneLine(
      await restore(file, dataDir),
      `the key in ${dataDir}/secret.key is not the one of this backup`,
    );
    expectOneLine(
      await restore(file, dataDir, '--key-file', keyFile()),
      `there is another key in ${dataDir}/secret.key: move it away first`,
    );
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('0b'.repeat(32));
    expect(existsSync(join(dataDir, 'voucherd.sqlite'))).toBe(false);
    writeFileSync(other, 'x'.repeat(65_536));
    expectOneLine(
      await restore(file, newFolder(), '--key-file', other),
      /longer than a secret may be|is not a key/,
    );
  });

  test('killed in the middle, it leaves no database; the next one names what is left', async () => {
    const file = await backUp('--with-key', '--pass-phrase-env', 'PHRASE');
    const dataDir = newFolder();
    // It waits for the pass phrase when it has copied and verified everything.
    const killed = startProgram(['restore', file, '--data-dir', dataDir, '--pass-phrase-file', '-']);
    const partial = await until('a copy of the backup', () =>
      existsSync(dataDir)
        ? readdirSync(dataDir).find(
            (name) => name.endsWith('.partial') && statSync(join(dataDir, name)).size === statSync(file).size,
          )
        : undefined,
    );
    killed.process.kill('SIGKILL');
    await killed.ended;
    expect(readdirSync(dataDir).filter((name) => !/\.partial|\.lock/.test(name))).toEqual([]);
    expect(await restore(file, dataDir, '--pass-phrase-env', 'PHRASE')).toMatchObject({
      status: 0,
      err: expect.stringContaining(`warning: an interrupted restore has left ${join(dataDir, partial)}; rm `),
    });
  });

  test('with SECRET_KEY it puts no key into the folder, and refuses another one', async () => {
    const [own, other] = ['0c'.repeat(32), '0d'.repeat(32)];
    const dataDir = newFolder();
    const env = { DATA_DIR: dataDir, SECRET_KEY: own, ADDRESS: address, PHRASE: passPhrase };
    expect(await run(['migrate', '--yes'], env)).toMatchObject({ status: 0 });
    await run(['webhook', 'add', '--name', 'Chat', '--format', 'slack', '--url-env', 'ADDRESS'], env);
    const file = newFile();
    const made = await run(['backup', file], env);
    expect(made.out).toContain('keep a copy of SECRET_KEY in another place');
    const [elsewhere, database] = [newFolder(), at('elsewhere.sqlite')];
    const target = { DATA_DIR: elsewhere, DATABASE_URL: `sqlite:${database}` };
    expectOneLine(
      await run(['restore', file], { ...target, SECRET_KEY: other }),
      'the key in SECRET_KEY is not the one of this backup',
    );
    expect(await run(['restore', file], { ...target, SECRET_KEY: own })).toMatchObject({
      status: 0,
      out: expect.stringContaining('the key opens all of the 1 stored secret'),
    });
    expect([existsSync(database), existsSync(join(elsewhere, 'secret.key'))]).toEqual([true, false]);
  });

  test('overwrites no database, and none of a service that runs', async () => {
    const file = await backUp();
    const before = readFileSync(databaseFile());
    expectOneLine(
      await restore(file, cli.dataDir),
      `there is a database already: ${databaseFile()} is not overwritten`,
    );
    expect(readFileSync(databaseFile()).equals(before)).toBe(true);
    const dataDir = newFolder();
    mkdirSync(dataDir);
    const release = await acquireServiceLock(`sqlite:${join(dataDir, 'voucherd.sqlite')}`);
    expectOneLine(await restore(file, dataDir), 'another service runs on');
    await release();
    writeFileSync(join(dataDir, 'simulated-2.sqlite'), 'x');
    expectOneLine(await restore(file, dataDir), 'simulated-2.sqlite exists already');
    expect(readdirSync(dataDir).sort()).toEqual(['simulated-2.sqlite', 'voucherd.sqlite.lock']);
  });

  test('migrates a backup of an earlier version', async () => {
    const older = newFolder();
    const database = openDatabase(`sqlite:${join(older, 'voucherd.sqlite')}`);
    await runMigrations(database, migrations.slice(0, 8));
    await database.close();
    const file = newFile();
    expect(await run(['backup', file], { DATA_DIR: older })).toMatchObject({ status: 0 });
    const dataDir = newFolder();
    const ended = await restore(file, dataDir, '--json');
    expect(JSON.parse(ended.out)).toMatchObject({ migrated: migrations.slice(8).map(({ name }) => name) });
    expect(await run(['site', 'list', '--json'], { DATA_DIR: dataDir })).toMatchObject({
      status: 0,
      out: '[]\n',
    });
  });

  test('takes a copy that was made in another way, but not a database in use', async () => {
    const copy = at('plain.sqlite');
    await execute(databaseFile(), `vacuum into '${copy}'`);
    const dataDir = newFolder();
    expect(await restore(copy, dataDir)).toMatchObject({
      status: 0,
      out: expect.stringContaining('from a copy that was not made by `backup`'),
    });
    writeFileSync(`${copy}-wal`, 'x');
    expectOneLine(await restore(copy, newFolder()), 'is a database in use');
  });

  const damages: [string, (file: string) => void | Promise<void>, RegExp | string][] = [
    ['that is missing', () => undefined, 'there is no file'],
    ['that is empty', (file) => writeFileSync(file, ''), 'is not a backup of voucherd'],
    [
      'that is something else',
      (file) => writeFileSync(file, 'x'.repeat(100_000)),
      'is not a backup of voucherd',
    ],
    [
      'that is a folder',
      (file) => {
        mkdirSync(file);
      },
      'is not a file',
    ],
    [
      'of which the end is missing',
      async (file) => writeFileSync(file, readFileSync(await backUp()).subarray(0, 100_000)),
      'is damaged',
    ],
    [
      'with pages of something else',
      async (file) => writeFileSync(file, readFileSync(await backUp()).fill(0x5a, 4096 * 3, 4096 * 12)),
      'is damaged',
    ],
    [
      'without some of its rows',
      async (file) => {
        copyFileSync(await backUp(), file);
        await execute(file, 'delete from vouchers where id > 15');
      },
      /is damaged: voucher\w+ has \d+ rows, and had \d+/,
    ],
    [
      'of a newer version',
      async (file) => {
        copyFileSync(await backUp(), file);
        await execute(file, "insert into migrations values ('9999_later', 1)");
      },
      'the database is newer than this program (it has "9999_later")',
    ],
    [
      'of another program',
      (file) => execute(file, 'create table something (id integer)'),
      'is a SQLite database, but not one of voucherd',
    ],
    [
      'that says nonsense of itself',
      async (file) => {
        copyFileSync(await backUp(), file);
        await execute(file, "update voucherd_backup set value = '[' where name = 'rows'");
      },
      'holds something else',
    ],
    [
      'whose key would take all memory',
      async (file) => {
        copyFileSync(await backUp('--with-key', '--pass-phrase-env', 'PHRASE'), file);
        await execute(
          file,
          "update voucherd_backup set value = json_set(value, '$.cost', 30) where name = 'key'",
        );
      },
      'was sealed with an unknown cost',
    ],
  ];
  test.each(damages)('refuses a file %s, and leaves nothing', async (_, make, line) => {
    const file = newFile();
    await make(file);
    const dataDir = newFolder();
    expectOneLine(await restore(file, dataDir), line);
    expect(readdirSync(dataDir).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });

  test('says which folder it can not use', async () => {
    const file = at('file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    expectOneLine(await restore(await backUp(), join(file, 'x')), 'DATA_DIR');
  });
});

test('with PostgreSQL both commands print the line that does it, without the password', async () => {
  const env = {
    DATABASE_URL: 'postgres://vou cher:geheim@db1:5433,db2/voucherd?sslmode=require',
    DATA_DIR: folder.path,
  };
  const url = 'postgres://voucher:geheim@db1:5433,db2/voucherd';
  expect(await run(['backup', '/backup/x y'], { ...env, DATABASE_URL: url })).toEqual({
    status: 5,
    out: '',
    err:
      'voucherd: with PostgreSQL, pg_dump makes the backup, while services run; it asks for the password. Keep the secret key elsewhere: see docs/backup.md\n' +
      '  pg_dump --format=custom --no-owner --file="/backup/x y" --host=db1 --port=5433 --username=voucher --dbname=voucherd\n',
  });
  expect(await run(['restore', 'x'], { ...env, DATABASE_URL: url })).toMatchObject({
    status: 5,
    err: expect.stringContaining(
      '  pg_restore --no-owner --exit-on-error --single-transaction --host=db1 --port=5433 --username=voucher --dbname=voucherd x\n',
    ),
  });
});

test('a disk that can not take it leaves no file, and the message names it', async () => {
  const file = newFile();
  // In blocks of 512 bytes. A process that ignores the signal gets an error instead, as on a full disk.
  const script = `trap '' XFSZ; ulimit -f 400; exec "$0" scripts/voucherd.mjs backup "${file}"`;
  const ended = await new Promise<{ status: number | null; err: string }>((resolve) => {
    const child = spawn('sh', ['-c', script, process.execPath], { cwd: root, env: childEnv(cli.env) });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => void (err += String(chunk)));
    child.once('close', (status) => resolve({ status, err }));
  });
  expect(ended).toEqual({
    status: 6,
    err: `voucherd: ${databaseFile()} could not be read, or ${file} could not be written: check the disks they are on\n`,
  });
  expect(readdirSync(folder.path).filter((name) => name.startsWith(`${String(backups)}.backup`))).toEqual([]);
});
