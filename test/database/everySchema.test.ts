import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import type { Database } from '../../src/database/database.js';
import { migrations } from '../../src/database/migrations/index.js';
import { runMigrations } from '../../src/database/migrator.js';
import { nodeSystem } from '../../src/lib/system.js';
import { startProgram } from '../support/cli.js';
import {
  makeEmptyPostgresDatabase,
  makeEmptySqliteDatabase,
  openPatiently,
  type MakeDatabase,
  type TestDatabase,
} from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { fillEveryTable, sampleRow, tablesOf, type GivenValues } from '../support/sampleRows.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

const dialects: [string, MakeDatabase][] = [
  ['SQLite', makeEmptySqliteDatabase],
  ['PostgreSQL', makeEmptyPostgresDatabase],
];

describe.each(dialects)('%s', (_, makeDatabase) => {
  let own: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    own = await makeDatabase();
    database = openPatiently(own.url);
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });

  test('each migration keeps the records that all versions before it have written', async () => {
    const written: { readonly place: string; readonly table: string; readonly row: object }[] = [];
    for (const [index, { name }] of migrations.entries()) {
      // A row in every table, as the version without this migration writes it.
      for (const table of await tablesOf(database)) {
        const columns = table.columns.map((column) => column.name);
        const rows = await database.write(table.name).insert(sampleRow(table, index)).returning(columns);
        written.push({ place: `${table.name} before ${name}`, table: table.name, row: rows[0] as object });
      }
      expect(await runMigrations(database, migrations.slice(0, index + 1))).toEqual([name]);
    }
    const stored = new Map<string, object[]>();
    for (const { name } of await tablesOf(database)) stored.set(name, await database.read(name).select());
    expect(stored.size).toBeGreaterThanOrEqual(10);
    const changed = written.filter(
      ({ table, row }) =>
        !stored.get(table)?.some((now) => isDeepStrictEqual(pick(now, Object.keys(row)), row)),
    );
    expect(changed.map(({ place }) => place)).toEqual([]);
    // What later versions added holds for these records, too: whatever the migration could know is known.
    expect(await database.read('vouchers').whereNull('words').select('id')).toEqual([]);
  });
});

const pick = (row: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

describe.each(dialects)('the built program on %s with the first schema', (_, makeDatabase) => {
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  plantSecrets([key]);
  let [own, folder]: [TestDatabase, TestFolder] = [undefined!, undefined!];
  const env = () => ({
    ...{ DATABASE_URL: own.url, DATA_DIR: folder.path },
    ...{ PORT: '0', SYNC_INTERVAL_S: '0', DATABASE_TIMEOUT_S: '120', CONTROLLER_DEADLINE_S: '600' },
  });

  const nothing = (): null => null;
  const now = nodeSystem.now();
  const given: GivenValues = {
    'api_keys.prefix': (number) => (number === 1 ? prefix : `none${String(number)}`),
    'api_keys.hash': (number) => (number === 1 ? hash : 'none'),
    'api_keys.scope': () => 'write',
    'api_keys.rate_limit': () => 0,
    'api_keys.revoked_at': nothing,
    'api_keys.expires_at': nothing,
    'controllers.kind': () => 'simulated',
    'controllers.settings': () => '{}',
    'sites.active': () => true,
    'sites.controller_site': nothing,
    'vouchers.code': (number) => `1234${String(number)}67890`,
    'vouchers.name': (number) => `2026-01-01_Familie Müller ${String(number)}`,
    'vouchers.status': () => 'valid',
    'vouchers.created_at': () => now,
    'vouchers.expires_at': nothing,
  };

  beforeAll(async () => {
    [own, folder] = [await makeDatabase(), await makeFolder()];
    const database = openPatiently(own.url);
    await runMigrations(database, migrations.slice(0, 1));
    await fillEveryTable(database, 3, given);
    await database.close();
  });
  afterAll(async () => {
    await own.drop();
    await folder.remove();
  });

  test('migrates it at start, lists its vouchers with its key, and records new ones', async () => {
    const service = startProgram(['serve', '--json'], env());
    const url = await service.url();
    const list = async () => {
      const { status, body } = await send(url, 'GET', '/vouchers.php?site_id=1', { key });
      expect(status).toBe(200);
      return (body as { vouchers: { voucher_name: string }[] }).vouchers.map((one) => one.voucher_name);
    };
    expect(await list()).toEqual(['2026-01-01_Familie Müller 1']);
    const order = { site_id: 1, name: 'neu' };
    expect(await send(url, 'POST', '/vouchers.php', { key, body: order })).toMatchObject({ status: 201 });
    expect(await list()).toHaveLength(2);
    // It gives the database a second, which may be too little for a busy machine.
    await until('it is ready', async () => (await send(url, 'GET', '/readyz')).status === 200);
    service.process.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0 });
  });
});
