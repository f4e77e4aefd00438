import { createCipheriv, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { computeChecksum } from '../../src/database/copy/checksum.js';
import { continueBehind } from '../../src/database/copy/lastIds.js';
import type { TableSchema } from '../../src/database/copy/tableSchema.js';
import type { Database } from '../../src/database/database.js';
import { migrations } from '../../src/database/migrations/index.js';
import { migrate, runMigrations } from '../../src/database/migrator.js';
import { nodeSystem } from '../../src/lib/system.js';
import { startProgram } from '../support/cli.js';
import {
  copyTestDatabase,
  makeEmptyPostgresDatabase,
  makeEmptySqliteDatabase,
  openPatiently,
  type MakeDatabase,
  type TestDatabase,
} from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { fillEveryTable, tablesOf, type GivenValues } from '../support/sampleRows.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

const dialects: [string, MakeDatabase][] = [
  ['SQLite', makeEmptySqliteDatabase],
  ['PostgreSQL', makeEmptyPostgresDatabase],
];

/** The tables as they are now, with a checksum of all rows in these columns. */
const readRecords = async (
  database: Database,
  tables: readonly TableSchema[],
): Promise<[string, object][]> => {
  const records: [string, object][] = [];
  for (const table of tables)
    records.push([table.name, await computeChecksum(database.read, table, () => undefined)]);
  return records;
};

/** Gives a database the tables of an earlier version. */
const buildSchema = async (database: Database, last: string): Promise<void> => {
  const count = migrations.findIndex(({ name }) => name === last) + 1;
  await runMigrations(database, migrations.slice(0, count));
};

/** Adds records to all tables. */
const fillSchema = async (database: Database, given: GivenValues = {}): Promise<void> => {
  await fillEveryTable(database, 3, given);
  await continueBehind(database.dialect, database.write, new Map());
};

const earlier = migrations.slice(0, -1).map(({ name }) => name);

describe.each(dialects)('on %s', (_, makeDatabase) => {
  /** Without records. Grows from test to test: building each schema from nothing takes longer than all else. */
  let growing: TestDatabase;
  beforeAll(async () => {
    growing = await makeDatabase();
  });
  afterAll(() => growing.drop());

  test.each(earlier)('a database that ends with %s is upgraded, and keeps all its records', async (last) => {
    const empty = openPatiently(growing.url);
    await buildSchema(empty, last);
    await empty.close();
    const { url, drop } = await copyTestDatabase(growing);
    const database = openPatiently(url);
    await fillSchema(database);
    const tables = await tablesOf(database);
    const before = await readRecords(database, tables);
    expect(before.length).toBeGreaterThanOrEqual(10);
    expect(await migrate(database)).toEqual(
      migrations.map(({ name }) => name).slice(earlier.indexOf(last) + 1),
    );
    expect(await readRecords(database, tables)).toEqual(before);
    // What later versions added holds for these records, too: whatever the migration could know is known.
    expect(await database.read('vouchers').whereNull('words').select('id')).toEqual([]);
    await database.close();
    await drop();
  });
});

describe.each(
  dialects.flatMap(([name, make]) =>
    // The first schema, and that of 0.9.0.
    ['0001_initial', '0020_voucherActors'].map((last) => [name, last, make] as const),
  ),
)('the built program on %s that ends with %s', (_, last, makeDatabase) => {
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  const secretKey = randomBytes(32);
  plantSecrets([key, secretKey.toString('hex')]);
  let [own, folder]: [TestDatabase, TestFolder] = [undefined!, undefined!];
  const env = () => ({
    ...{ DATABASE_URL: own.url, DATA_DIR: folder.path, SECRET_KEY: secretKey.toString('hex') },
    ...{ PORT: '0', SYNC_INTERVAL_S: '0', DATABASE_TIMEOUT_S: '120', CONTROLLER_DEADLINE_S: '600' },
  });

  /** As versions before 0.9.0 did. */
  const seal = (text: string): string => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', secretKey, iv);
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return `v1:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
  };
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
    'controllers.sealed_credentials': nothing,
    'controllers.removed_at': nothing,
    'controllers.identity': nothing,
    'sites.active': () => true,
    'sites.controller_site': nothing,
    'vouchers.code': (number) => `1234${String(number)}67890`,
    'vouchers.name': (number) => `2026-01-01_Familie Müller ${String(number)}`,
    'vouchers.status': () => 'valid',
    'vouchers.created_at': () => now,
    'vouchers.expires_at': nothing,
    'vouchers.revoked_at': nothing,
    'webhooks.active': () => false,
    'webhooks.sealed_address': () => seal('https://example.org/hook'),
    'webhooks.sealed_secrets': nothing,
    'deliveries.state': () => 'delivered',
    'deliveries.at': () => now,
    'users.role': () => 'admin',
    'users.sealed_totp_secret': nothing,
    'users.sealed_totp_enrolment': nothing,
    'emails.state': () => 'sent',
    'emails.at': () => now,
    'sms.state': () => 'sent',
    'sms.at': () => now,
    'sms.begun_at': nothing,
  };

  beforeAll(async () => {
    [own, folder] = [await makeDatabase(), await makeFolder()];
    const database = openPatiently(own.url);
    await buildSchema(database, last);
    await fillSchema(database, given);
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

  if (last !== '0001_initial') return;
  test('refuses it once a later version has migrated it: a downgrade needs the copy from before', async () => {
    const database = openPatiently(own.url);
    await database.write('migrations').insert({ name: '9999_later', done_at: 0 });
    await database.close();
    const { status, err } = await startProgram(['serve'], env()).ended;
    expect(status).not.toBe(0);
    expect(err).toMatch(
      /the database is newer than this program \(it has "9999_later"\): start the version that migrated it, or restore an older copy/,
    );
  });
});
