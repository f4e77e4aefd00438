import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { acquireServiceLock } from '../../../src/database/serviceLock.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { executeSql } from '../../support/sqliteFile.js';
import { makeBackupFixture } from './backupFixture.js';

const fixture = forAllTests(makeBackupFixture, 'remove');

describe('restore', () => {
  test('refuses a key that is not the one of the backup', async () => {
    const other = fixture.at('other.key');
    writeFileSync(other, '0b'.repeat(32));
    const file = await fixture.backUp();
    expectOneLine(
      await fixture.restore(file, fixture.newFolder(), '--key-file', other),
      'what --key-file names is not the key of this backup',
    );
    const dataDir = fixture.newFolder();
    mkdirSync(dataDir);
    copyFileSync(other, join(dataDir, 'secret.key'));
    expectOneLine(
      await fixture.restore(file, dataDir),
      `the key in ${dataDir}/secret.key is not the one of this backup`,
    );
    expectOneLine(
      await fixture.restore(file, dataDir, '--key-file', fixture.keyFile),
      `there is another key in ${dataDir}/secret.key: move it away first`,
    );
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('0b'.repeat(32));
    expect(existsSync(join(dataDir, 'voucherd.sqlite'))).toBe(false);
    writeFileSync(other, 'x'.repeat(65_536));
    expectOneLine(
      await fixture.restore(file, fixture.newFolder(), '--key-file', other),
      /longer than a secret may be|is not a key/,
    );
  });

  test('overwrites no database, and none of a service that runs', async () => {
    const file = await fixture.backUp();
    const before = readFileSync(fixture.databaseFile);
    expectOneLine(
      await fixture.restore(file, fixture.cli.dataDir),
      `there is a database already: ${fixture.databaseFile} is not overwritten`,
    );
    expect(readFileSync(fixture.databaseFile).equals(before)).toBe(true);
    const dataDir = fixture.newFolder();
    mkdirSync(dataDir);
    const release = await acquireServiceLock(`sqlite:${join(dataDir, 'voucherd.sqlite')}`);
    expectOneLine(await fixture.restore(file, dataDir), 'another service runs on');
    await release();
    writeFileSync(join(dataDir, 'simulated-2.sqlite'), 'x');
    expectOneLine(await fixture.restore(file, dataDir), 'simulated-2.sqlite exists already');
    // The file of the lock was there before.
    expect(readdirSync(dataDir).sort()).toEqual(['simulated-2.sqlite', 'voucherd.sqlite.lock']);
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
      async (file) => writeFileSync(file, readFileSync(await fixture.backUp()).subarray(0, 100_000)),
      'is damaged',
    ],
    [
      'with pages of something else',
      async (file) =>
        writeFileSync(file, readFileSync(await fixture.backUp()).fill(0x5a, 4096 * 3, 4096 * 12)),
      'is damaged',
    ],
    [
      'without some of its rows',
      async (file) => {
        copyFileSync(await fixture.backUp(), file);
        await executeSql(file, 'delete from vouchers where id > 15');
      },
      /is damaged: voucher\w+ has \d+ rows, and had \d+/,
    ],
    [
      'of a newer version',
      async (file) => {
        copyFileSync(await fixture.backUp(), file);
        await executeSql(file, "insert into migrations values ('9999_later', 1)");
      },
      'the database is newer than this program (it has "9999_later")',
    ],
    [
      'of a version before 1.0.0',
      async (file) => {
        copyFileSync(await fixture.backUp(), file);
        await executeSql(file, "update migrations set name = '0044_keyFailures'");
      },
      "the database is of a version before 1.0.0, which this program can't migrate",
    ],
    [
      'of another program',
      (file) => executeSql(file, 'create table something (id integer)'),
      'is a SQLite database, but not one of voucherd',
    ],
    [
      'that says nonsense of itself',
      async (file) => {
        copyFileSync(await fixture.backUp(), file);
        await executeSql(file, "update voucherd_backup set value = '[' where name = 'rows'");
      },
      'holds something else',
    ],
    [
      'whose key would take all memory',
      async (file) => {
        copyFileSync(await fixture.backUp('--with-key', '--pass-phrase-env', 'PHRASE'), file);
        await executeSql(
          file,
          "update voucherd_backup set value = json_set(value, '$.cost', 30) where name = 'key'",
        );
      },
      'was sealed with an unknown cost',
    ],
  ];
  test.each(damages)('refuses a file %s, and leaves nothing', async (_, make, line) => {
    const file = fixture.newFile();
    await make(file);
    const dataDir = fixture.newFolder();
    expectOneLine(await fixture.restore(file, dataDir), line);
    expect(existsSync(dataDir)).toBe(false);
    // A folder that was there stays, with what was in it.
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'voucherd.sqlite'), '');
    expectOneLine(await fixture.restore(file, dataDir), line);
    expect(readdirSync(dataDir)).toEqual(['voucherd.sqlite']);
  });

  test('refuses a file with another checksum before anything is written', async () => {
    const [file, dataDir] = [await fixture.backUp(), fixture.newFolder()];
    const wrong = '0a'.repeat(32);
    expectOneLine(
      await fixture.restore(file, dataDir, '--sha256', wrong),
      new RegExp(
        `is not the file that was expected, or is damaged: its SHA-256 is [0-9a-f]{64}, and not ${wrong}; copy it again`,
      ),
    );
    for (const text of ['', 'abc', `${wrong}0`, 'g'.repeat(64), 'x'.repeat(65_536)])
      expectOneLine(await fixture.restore(file, dataDir, '--sha256', text), '--sha256');
    expect(existsSync(dataDir)).toBe(false);
  });

  test('with PostgreSQL says what restores the file that is named, without the password', async () => {
    const env = { DATABASE_URL: 'postgres://voucher:geheim@db1:5433/voucherd', DATA_DIR: fixture.folder };
    const [dump, other] = [fixture.at('a b.dump'), fixture.at('other.dump')];
    writeFileSync(dump, 'PGDMP\x01\x0e');
    writeFileSync(other, '-- PostgreSQL database dump');
    expect(await run(['restore', dump], env)).toEqual({
      status: 5,
      out: '',
      err:
        'voucherd: with PostgreSQL, pg_restore restores the backup, into an empty database: see docs/backup.md\n' +
        `  pg_restore --no-owner --exit-on-error --single-transaction --host=db1 --port=5433 --username=voucher --dbname=voucherd "${dump}"\n`,
    });
    const backup = await fixture.backUp();
    const remedy =
      `voucherd: ${backup} is a backup of SQLite, and DATABASE_URL names a PostgreSQL: restore it into a new folder, and copy that into the empty PostgreSQL\n` +
      `  ${program} restore ${backup} --data-dir FOLDER\n  ${program} database copy --from FOLDER\n`;
    expect(await run(['restore', backup], env)).toEqual({
      status: 5,
      out: '',
      err: remedy,
    });
    expectOneLine(
      await run(['restore', other], env),
      'is a backup neither of SQLite nor of pg_dump --format=custom',
    );
    expectOneLine(await run(['restore', fixture.at('none')], env), 'there is no file');
    expectOneLine(
      await fixture.restore(dump, fixture.newFolder()),
      'is a backup of a PostgreSQL: set DATABASE_URL',
    );
  });

  test('says which folder it can not use', async () => {
    const file = fixture.at('file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    expectOneLine(await fixture.restore(await fixture.backUp(), join(file, 'x')), 'DATA_DIR');
  });
});
