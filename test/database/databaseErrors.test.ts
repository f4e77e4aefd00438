import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { diagnoseDatabaseError } from '../../src/database/databaseErrors.js';
import { findFreePort } from '../setup/freePort.mjs';
import { testCases } from '../support/cases.js';
import { expectOneLine, run, type Ended } from '../support/cli.js';
import { makeEmptyPostgresDatabase, withLimitedRole } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

interface Finding {
  check: string;
  ok: boolean;
  message: string;
  remedy?: string;
}
const folder = forAllTests(makeFolder, 'remove');
const own = forAllTests(makeEmptyPostgresDatabase, 'drop');

const commands = [['serve'], ['migrate'], ['key', 'list'], ['site', 'list'], ['webhook', 'list']];

const doctor = ['doctor', '--json'];

/** What every command and `doctor` say of a database; all at once where each of them waits. */
const expectSaid = async (
  env: Record<string, string>,
  message: RegExp,
  remedy: RegExp,
  isAtOnce = false,
): Promise<void> => {
  const settings = { DATA_DIR: join(folder.path, 'data'), PORT: '0', LOG_LEVEL: 'silent', ...env };
  const begun = new Map<string[], Promise<Ended>>();
  if (isAtOnce) for (const argv of [...commands, doctor]) begun.set(argv, run(argv, settings));
  const end = (argv: string[]): Promise<Ended> => begun.get(argv) ?? run(argv, settings);
  for (const command of commands) {
    const ended = await end(command);
    expectOneLine(ended, message);
    expectOneLine(ended, remedy);
    expect(ended.err).not.toMatch(/geheim|SQLITE_/);
  }
  const { out } = await end(doctor);
  const found = (JSON.parse(out) as Finding[]).find(({ check }) => check === 'database');
  expect(found).toMatchObject({
    ok: false,
    message: expect.stringMatching(message),
    remedy: expect.stringMatching(remedy),
  });
  expect(out).not.toContain('geheim');
};

describe('every command and doctor name the setting and the next step when PostgreSQL', () => {
  test('does not run', async () => {
    const port = await findFreePort();
    await expectSaid(
      { DATABASE_URL: `postgres://uv:geheim@127.0.0.1:${port}/voucherd` },
      new RegExp(`PostgreSQL at 127\\.0\\.0\\.1:${port} refuses connections`),
      /start it, or correct DATABASE_URL/,
    );
  });

  test('does not know the password', async () => {
    const url = new URL(own.url);
    url.password = 'geheim';
    await expectSaid({ DATABASE_URL: url.href }, /does not let "postgres" in/, /password in DATABASE_URL/);
  });

  test('has no such database', async () => {
    const url = new URL(own.url);
    url.pathname = '/nirgends';
    await expectSaid({ DATABASE_URL: url.href }, /has no database "nirgends"/, /its name in DATABASE_URL/);
  });

  test('has no connection left', async () => {
    const limited = await withLimitedRole(await makeEmptyPostgresDatabase(), 0);
    await expectSaid(
      // Within this time a busy machine gets an answer of the server.
      { DATABASE_URL: limited.url, DATABASE_TIMEOUT_S: '10' },
      /has no connection left for "role_/,
      /lower DATABASE_POOL_MAX/,
      true,
    );
    await limited.drop();
  });
});

describe('every command and doctor name the file and the next step when a SQLite file', () => {
  test('is none', async () => {
    const dataDir = join(folder.path, 'none');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'voucherd.sqlite'), 'geheim'.repeat(1000));
    await expectSaid(
      { DATA_DIR: dataDir },
      /voucherd\.sqlite is no SQLite database/,
      /set DATA_DIR to another/,
    );
  });

  test('is a folder', async () => {
    const file = join(folder.path, 'folder.sqlite');
    await mkdir(file);
    await expectSaid(
      { DATABASE_URL: `sqlite:${file}` },
      /folder\.sqlite cannot be opened/,
      /set DATABASE_URL to another/,
    );
  });

  test('lies where no folder can be made', async () => {
    await expectSaid(
      { DATABASE_URL: 'sqlite:/dev/null/data/voucherd.sqlite' },
      /the folder \/dev\/null\/data can't be created/,
      /set DATABASE_URL to another/,
    );
  });
});

testCases([
  ['SQLITE_FULL', /^the disk of \/d\/v\.sqlite is full$/],
  ['SQLITE_READONLY', /^\/d\/v\.sqlite can only be read$/],
  ['SQLITE_CORRUPT', /^\/d\/v\.sqlite is damaged$/],
  ['SQLITE_BUSY', /^\/d\/v\.sqlite is locked by another program$/],
  ['SQLITE_IOERR', /^\/d\/v\.sqlite cannot be read or written$/],
])('each error of SQLite has words of its own', (code, message) => {
  const error = Object.assign(new Error(`${code}: whatever`), { code });
  expect(diagnoseDatabaseError(error, { databaseUrl: 'sqlite:/d/v.sqlite', dataDir: '/d' })?.message).toMatch(
    message,
  );
});

test('an error that is not one of the database stays as it is', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:443'), { code: 'ECONNREFUSED' });
  for (const databaseUrl of ['postgres://uv@db/v', 'sqlite:/d/v.sqlite'])
    expect(diagnoseDatabaseError(error, { databaseUrl, dataDir: '/d' })).toBeUndefined();
});
