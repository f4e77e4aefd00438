import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeTables } from '../../../src/app/tables.js';
import { openDatabase } from '../../../src/database/database.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { openWebhook } from '../../../src/webhooks/webhooks.js';
import { readAllRows } from '../../support/allRows.js';
import { expectOneLine, program, run, startProgram } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { until } from '../../support/until.js';
import { executeSql } from '../../support/sqliteFile.js';
import { makeBackupFixture, passPhrase, webhookAddress } from './backupFixture.js';

const fixture = forAllTests(makeBackupFixture, 'remove');

/** Is it a copy of the backup, with all of it? */
const isWhole = (backup: string, folder: string) => (name: string) =>
  name.endsWith('.partial') && statSync(join(folder, name)).size === statSync(backup).size;

describe('restore', () => {
  test('makes the same database elsewhere, record by record', async () => {
    const file = await fixture.backUp();
    const dataDir = fixture.newFolder();
    const { status, out, err } = await fixture.restore(file, dataDir, '--key-file', fixture.keyFile);
    expect({ status, err: err.replace(/^it belongs to root.*\n/, '') }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(
      new RegExp(
        `^restored ${dataDir}/voucherd.sqlite: 20 vouchers, as of \\S+Z, from version \\S+\nsha256 [0-9a-f]{64} \\(of the backup\\)\n` +
          `the secret key is in ${dataDir}/secret.key\nthe key opens all of the 2 stored secrets\n` +
          `next: start the service, then DATA_DIR=${dataDir} ${program} doctor\n$`,
      ),
    );
    expect(await readAllRows(join(dataDir, 'voucherd.sqlite'))).toEqual(
      await readAllRows(fixture.databaseFile),
    );
    expect(await readAllRows(join(dataDir, 'simulated-2.sqlite'))).toEqual(
      await readAllRows(join(fixture.cli.dataDir, 'simulated-2.sqlite')),
    );
    for (const name of readdirSync(dataDir))
      expect([name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]).toEqual([name, '600']);
    expect(readdirSync(dataDir).filter((name) => name.includes('partial'))).toEqual([]);
    const listed = await run(['webhook', 'list', '--json'], { DATA_DIR: dataDir });
    expect(listed).toMatchObject({ status: 0, out: expect.stringContaining('hooks.example.org') });
  });

  test('takes the key out of a backup that has it, with the pass phrase', async () => {
    const file = await fixture.backUp('--with-key', '--pass-phrase-env', 'PHRASE');
    expect(readFileSync(file).includes(readFileSync(fixture.keyFile, 'utf8').trim())).toBe(false);
    const dataDir = fixture.newFolder();
    expectOneLine(
      await fixture.restore(file, dataDir, '--pass-phrase-env', 'OTHER_PHRASE'),
      'the pass phrase is not the one that it was sealed with; without the key: --without-key, or --key-file',
    );
    expect(existsSync(dataDir)).toBe(false);
    expect(await fixture.restore(file, dataDir, '--pass-phrase-env', 'PHRASE')).toMatchObject({ status: 0 });
    expect(readFileSync(join(dataDir, 'secret.key'))).toEqual(readFileSync(fixture.keyFile));
    const database = openDatabase(`sqlite:${join(dataDir, 'voucherd.sqlite')}`);
    const [chat] = await makeTables(database).webhooks.all();
    await database.close();
    expect(openWebhook(chat!, openSecrets({ secretKey: undefined, dataDir })).address).toBe(webhookAddress);
  });

  test('without the key it names each secret that can not be opened, and what to do', async () => {
    const file = await fixture.backUp();
    const { status, out, err } = await fixture.restore(file, fixture.newFolder());
    expect(status).toBe(0);
    expect(out).not.toContain('the key opens');
    expect(err).toContain(
      'warning: webhook "Chat" can not be opened: put back the key that it was sealed with, or',
    );
    expect(err).toContain('warning: controller "Konsole" can not be opened');
    const listed = JSON.parse((await fixture.restore(file, fixture.newFolder(), '--json')).out) as {
      unopenable: object[];
    };
    expect(listed.unopenable).toHaveLength(2);
  });

  test('killed in the middle, it leaves no database; the next one names what is left', async () => {
    const file = await fixture.backUp('--with-key', '--pass-phrase-env', 'PHRASE');
    const dataDir = fixture.newFolder();
    // It waits for the pass phrase when it has copied and verified everything.
    const killed = startProgram(['restore', file, '--data-dir', dataDir, '--pass-phrase-file', '-']);
    const partial = await until('a copy of the backup', () =>
      existsSync(dataDir) ? readdirSync(dataDir).find(isWhole(file, dataDir)) : undefined,
    );
    killed.process.kill('SIGKILL');
    await killed.ended;
    expect(readdirSync(dataDir).filter((name) => !/\.partial|\.lock/.test(name))).toEqual([]);
    expect(await fixture.restore(file, dataDir, '--pass-phrase-env', 'PHRASE')).toMatchObject({
      status: 0,
      err: expect.stringContaining(`warning: an interrupted restore has left ${join(dataDir, partial)}; rm `),
    });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('interrupted by %s, it leaves nothing', async (signal) => {
    const file = await fixture.backUp('--with-key', '--pass-phrase-env', 'PHRASE');
    const dataDir = join(fixture.newFolder(), 'below');
    const killed = startProgram(['restore', file, '--data-dir', dataDir, '--pass-phrase-file', '-']);
    await until(
      'a copy of the backup',
      () => existsSync(dataDir) && readdirSync(dataDir).some(isWhole(file, dataDir)),
    );
    killed.process.kill(signal);
    expect(await killed.ended).toEqual({
      status: 130,
      out: '',
      err: 'voucherd: interrupted: nothing was restored\n',
    });
    expect(existsSync(join(dataDir, '..'))).toBe(false);
  });

  test('with the right checksum it goes on, and --json has it, too', async () => {
    const file = fixture.newFile();
    const { sha256 } = JSON.parse((await fixture.cli.voucherd('backup', file, '--json')).out) as {
      sha256: string;
    };
    const ended = await fixture.restore(
      file,
      fixture.newFolder(),
      '--sha256',
      sha256.toUpperCase(),
      '--json',
    );
    expect(ended).toMatchObject({ status: 0 });
    expect(JSON.parse(ended.out)).toMatchObject({ sha256 });
  });

  test('into a folder that is named it goes whatever DATABASE_URL is', async () => {
    const dataDir = fixture.newFolder();
    const argv = ['restore', await fixture.backUp(), '--data-dir', dataDir, '--key-file', fixture.keyFile];
    const DATABASE_URL = 'postgres://voucher:geheim@db1/voucherd';
    expect(await run(argv, { DATABASE_URL })).toMatchObject({ status: 0 });
    expect(existsSync(join(dataDir, 'voucherd.sqlite'))).toBe(true);
  });

  test('with SECRET_KEY it puts no key into the folder, and refuses another one', async () => {
    const [own, other] = ['0c'.repeat(32), '0d'.repeat(32)];
    const dataDir = fixture.newFolder();
    const env = { DATA_DIR: dataDir, SECRET_KEY: own, ADDRESS: webhookAddress, PHRASE: passPhrase };
    expect(await run(['migrate', '--yes'], env)).toMatchObject({ status: 0 });
    await run(['webhook', 'add', '--name', 'Chat', '--format', 'slack', '--url-env', 'ADDRESS'], env);
    const file = fixture.newFile();
    const made = await run(['backup', file], env);
    expect(made.out).toContain('keep a copy of SECRET_KEY in another place');
    const [elsewhere, database] = [fixture.newFolder(), fixture.at('elsewhere.sqlite')];
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

  test('takes a copy that was made in another way, but not a database in use', async () => {
    const copy = fixture.at('plain.sqlite');
    await executeSql(fixture.databaseFile, `vacuum into '${copy}'`);
    const dataDir = fixture.newFolder();
    expect(await fixture.restore(copy, dataDir)).toMatchObject({
      status: 0,
      out: expect.stringContaining('from a copy that was not made by `backup`'),
    });
    writeFileSync(`${copy}-wal`, 'x');
    expectOneLine(await fixture.restore(copy, fixture.newFolder()), 'is a database in use');
  });
});
