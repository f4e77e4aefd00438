import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createHash } from 'node:crypto';
import {
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
import { describe, expect, test } from '@jest/globals';
import sqlite3 from 'sqlite3';
import { openDatabase } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { migrate } from '../../../src/database/migrator.js';
import { markUnfinishedCopy } from '../../../src/database/unfinishedCopy.js';
import { childEnv, root } from '../../support/built.js';
import { expectOneLine, run, startProgram } from '../../support/cli.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';
import { until } from '../../support/until.js';
import { executeSql } from '../../support/sqliteFile.js';
import { makeBackupFixture, passPhrase } from './backupFixture.js';

const fixture = forAllTests(makeBackupFixture, 'remove');

describe('backup', () => {
  test('refuses an unfinished copy, before it copies anything', async () => {
    const own = await makeFolder();
    await putSqliteDatabase(own.path);
    const database = openDatabase(`sqlite:${own.path}/voucherd.sqlite`);
    await markUnfinishedCopy(database.write);
    await database.close();
    const file = fixture.newFile();
    const ended = await run(['backup', file], { DATA_DIR: own.path });
    expectOneLine(ended, 'the database is an unfinished copy: run ');
    expect(ended.status).toBe(5);
    expect(existsSync(file)).toBe(false);
    // It does not even try to create the file.
    const nowhere = fixture.at('nowhere', 'x');
    expectOneLine(await run(['backup', nowhere], { DATA_DIR: own.path }), 'is an unfinished copy');
    await own.remove();
  });

  test('makes one verified file for this user alone, and says what to keep elsewhere', async () => {
    const file = fixture.newFile();
    const { status, out, err } = await fixture.cli.voucherd('backup', file);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(
      new RegExp(
        `^${file}: \\d+\\.\\d MB, 20 vouchers, as of \\S+Z, verified\nsha256 [0-9a-f]{64}\n` +
          `The secret key is not in it: keep a copy of ${fixture.keyFile} in another place. Without it, 2 stored secrets can not be opened.\n$`,
      ),
    );
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(fixture.folder).filter((name) => name.startsWith(basename(file)))).toEqual([
      basename(file),
    ]);
    expect(readFileSync(file).includes(readFileSync(fixture.keyFile, 'utf8').trim())).toBe(false);
  });

  test('--json has the counts of all tables and the hash of the file', async () => {
    const file = fixture.newFile();
    const { out } = await fixture.cli.voucherd('backup', file, '--json');
    const bytes = readFileSync(file);
    expect(JSON.parse(out)).toMatchObject({
      ...{ file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      ...{
        schema: migrations.at(-1)?.name,
        hasKey: false,
        key: fixture.keyFile,
        sealedValues: 2,
        warnings: [],
      },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      rows: expect.objectContaining({ vouchers: 20, sites: 1, controllers: 2, webhooks: 1, simulated_2: 0 }),
    });
  });

  test('does not write to the database, not even to migrate it', async () => {
    const older = fixture.newFolder();
    const database = openDatabase(`sqlite:${join(older, 'voucherd.sqlite')}`);
    await migrate(database);
    await database.write('migrations').update({ name: '0044_keyFailures' });
    await database.close();
    const before = readFileSync(join(older, 'voucherd.sqlite'));
    const ended = await run(['backup', fixture.newFile(), '--json'], { DATA_DIR: older });
    expect(ended).toMatchObject({ status: 0, err: '' });
    expect(JSON.parse(ended.out)).toMatchObject({ schema: '0044_keyFailures', sealedValues: null });
    expect(readFileSync(join(older, 'voucherd.sqlite')).equals(before)).toBe(true);
  });

  test('overwrites nothing', async () => {
    const file = fixture.newFile();
    writeFileSync(file, 'mine');
    expectOneLine(
      await fixture.cli.voucherd('backup', file),
      `${file} exists already: it is not overwritten; name another file`,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expectOneLine(
      await fixture.cli.voucherd('backup', fixture.folder),
      'is a folder: name a file that does not exist yet',
    );
  });

  test.each([
    [
      'a folder that does not exist',
      () => fixture.at('no', 'where', 'x'),
      /\/x can't be created: there is no folder .*\/no: create it first$/m,
    ],
    [
      'a folder where nothing can be made',
      () => '/proc/voucherd.backup',
      "can't be created: the system lets nobody create anything in /proc",
    ],
    [
      'a name that is too long',
      () => fixture.at('x'.repeat(70_000)),
      "can't be created: the name is too long",
    ],
    ['standard output', () => '-', 'name a file'],
  ])('is refused for %s', async (_, file, line) => {
    expectOneLine(await fixture.cli.voucherd('backup', file()), line);
  });

  test('is refused where no database is, and makes none', async () => {
    const empty = fixture.newFolder();
    expectOneLine(await run(['backup', fixture.newFile()], { DATA_DIR: empty }), 'there is no database in');
    expect(existsSync(empty)).toBe(false);
  });

  test('of a damaged database leaves no file', async () => {
    const damaged = fixture.newFolder();
    mkdirSync(damaged);
    const copy = join(damaged, 'voucherd.sqlite');
    copyFileSync(await fixture.backUp(), copy);
    const bytes = readFileSync(copy);
    writeFileSync(copy, bytes.fill(0x5a, 4096 * 3, 4096 * 12));
    const file = fixture.newFile();
    expectOneLine(await run(['backup', file], { DATA_DIR: damaged }), 'damaged');
    expect(readdirSync(fixture.folder).filter((name) => name.startsWith(basename(file)))).toEqual([]);
  });

  test('a pass phrase that is short, not repeated alike, or without --with-key is refused', async () => {
    const file = fixture.newFile();
    const short = await fixture.cli.file('kurz');
    expectOneLine(
      await fixture.cli.voucherd('backup', file, '--with-key', '--pass-phrase-file', short),
      'at least 12 characters',
    );
    expectOneLine(
      await fixture.cli.voucherd('backup', file, '--pass-phrase-env', 'PHRASE'),
      'is for --with-key',
    );
    expectOneLine(await fixture.cli.voucherd('backup', file, '--with-key'), 'give --pass-phrase-file FILE');
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    const answers = [passPhrase, 'vier Pferde ziehen laut'];
    const typed = run(['backup', file, '--with-key'], fixture.cli.env, undefined, terminal);
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
    const empty = fixture.newFolder();
    const env = { DATA_DIR: empty, PHRASE: passPhrase };
    await run(['migrate', '--yes'], env);
    const withKey = ['--with-key', '--pass-phrase-env', 'PHRASE'];
    expectOneLine(await run(['backup', fixture.newFile(), ...withKey], env), 'there is no secret key in');
    expect((await run(['backup', fixture.newFile()], env)).out).toContain(
      'and not needed: nothing is sealed with it',
    );
    writeFileSync(join(empty, 'secret.key'), '0a'.repeat(32));
    writeFileSync(join(empty, 'secret.key.old'), '0b'.repeat(32));
    expectOneLine(
      await run(['backup', fixture.newFile(), ...withKey], env),
      'a rotation of the secret key was interrupted',
    );
  });

  test('a signal ends it, and leaves nothing', async () => {
    const file = fixture.newFile();
    class Interrupting extends EventEmitter {
      override on(name: string, listener: () => void): this {
        super.on(name, listener);
        if (name === 'SIGHUP') this.emit('SIGINT');
        return this;
      }
    }
    expectOneLine(
      await run(['backup', file], fixture.cli.env, new Interrupting()),
      'voucherd: interrupted: no backup was made',
    );
    expect(readdirSync(fixture.folder).filter((name) => name.startsWith(basename(file)))).toEqual([]);
  });

  test('killed in the middle, it leaves no half file under the name; the next one names what is left', async () => {
    const copied = fixture.newFolder();
    expect(
      await fixture.restore(await fixture.backUp(), copied, '--key-file', fixture.keyFile),
    ).toMatchObject({ status: 0 });
    // A file without a log, locked: the backup waits for it after the snapshot was taken.
    const simulated = join(copied, 'simulated-2.sqlite');
    await executeSql(simulated, 'pragma journal_mode = delete');
    const holder = new sqlite3.Database(simulated);
    await new Promise<void>((resolve, reject) => {
      holder.exec('begin exclusive', (error) => (error ? reject(error) : resolve()));
    });
    const file = fixture.newFile();
    const killed = startProgram(['backup', file], { DATA_DIR: copied });
    const partial = await until('a file in the making', () =>
      readdirSync(fixture.folder).find(
        (name) =>
          name.startsWith(`${basename(file)}.`) &&
          name.endsWith('.partial') &&
          statSync(fixture.at(name)).size > 0,
      ),
    );
    killed.process.kill('SIGKILL');
    await killed.ended;
    await new Promise((resolve) => holder.close(resolve));
    expect(existsSync(file)).toBe(false);
    expect((statSync(fixture.at(partial)).mode & 0o777).toString(8)).toBe('600');
    const next = await run(['backup', file], { DATA_DIR: copied });
    expect(next).toMatchObject({
      status: 0,
      err: expect.stringContaining(
        `warning: an interrupted backup has left ${fixture.at(partial)}; if none is running: rm ${fixture.at(partial)}\n`,
      ),
    });
  });
});

test('a disk that can not take it leaves no file, and the message names it', async () => {
  const file = fixture.newFile();
  // In blocks of 512 bytes. A process that ignores the signal gets an error instead, as on a full disk.
  const script = `trap '' XFSZ; ulimit -f 400; exec "$0" scripts/voucherd.mjs backup "${file}"`;
  const ended = await new Promise<{ status: number | null; err: string }>((resolve) => {
    const child = spawn('sh', ['-c', script, process.execPath], {
      cwd: root,
      env: childEnv(fixture.cli.env),
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => void (err += String(chunk)));
    child.once('close', (status) => resolve({ status, err }));
  });
  expect(ended).toEqual({
    status: 6,
    err: `voucherd: ${fixture.databaseFile} could not be read, or ${file} could not be written: check the disks they are on\n`,
  });
  expect(readdirSync(fixture.folder).filter((name) => name.startsWith(basename(file)))).toEqual([]);
});

test('with PostgreSQL it prints the line that does it, without the password', async () => {
  const url = 'postgres://voucher:geheim@db1:5433/voucherd';
  expect(await run(['backup', '/backup/x y'], { DATA_DIR: fixture.folder, DATABASE_URL: url })).toEqual({
    status: 5,
    out: '',
    err:
      'voucherd: with PostgreSQL, pg_dump makes the backup, while services run; it asks for the password. Keep the secret key elsewhere: see docs/backup.md\n' +
      '  pg_dump --format=custom --no-owner --file="/backup/x y" --host=db1 --port=5433 --username=voucher --dbname=voucherd\n',
  });
});
