import { generateApiKey } from '../../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/migrator.js';
import { makeTables } from '../../../src/app/tables.js';

export const siteCount = 50;

/** How many vouchers a list holds at most, and every site has at least. */
export const listLength = 200;

/** Both may write. */
export interface SeededKeys {
  /** Has no limit. */
  readonly key: string;
  /** Has a limit that is never reached. */
  readonly limitedKey: string;
}

/** Fills an empty database with 50 sites on one simulated controller, and keys. */
export const seedSites = async (databaseUrl: string): Promise<SeededKeys> => {
  const database = openDatabase(databaseUrl);
  try {
    await migrate(database);
    return await addSites(database);
  } finally {
    await database.close();
  }
};

/** Adds vouchers, from one number up to another, in turns over the sites. The database can be copied afterwards. */
export const fillVouchers = async (databaseUrl: string, from: number, to: number): Promise<void> => {
  const database = openDatabase(databaseUrl, { timeoutMs: seedTimeoutMs });
  try {
    if (database.dialect === 'sqlite') {
      // Only this connection: nothing is lost by a crash while seeding, the file is created again.
      await database.write.raw('PRAGMA synchronous = OFF');
      await database.write.raw('PRAGMA cache_size = -400000');
      await addToSqlite(database, from, to);
      await database.write.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    } else await addToPostgres(database, from, to);
  } finally {
    await database.close();
  }
};

/** A million vouchers in one statement. */
const seedTimeoutMs = 600_000;

const addSites = async (database: Database): Promise<SeededKeys> => {
  const tables = makeTables(database);
  const now = nodeSystem.now();
  const controllerId = await tables.controllers.add({ name: 'Bench', kind: 'simulated', settings: {} }, now);
  for (let number = 1; number <= siteCount; number++) {
    const name = `Gebäude ${String(number).padStart(2, '0')}`;
    await tables.sites.add({ name, active: true, controllerId, controllerSite: null }, now);
  }
  const addKey = async (name: string, rateLimit: number): Promise<string> => {
    const { key, prefix, hash } = generateApiKey(nodeSystem);
    const times = { createdAt: now, expiresAt: null };
    await tables.apiKeys.add({ name, prefix, hash, scope: 'write', rateLimit, ...times });
    return key;
  };
  return { key: await addKey('Bench', 0), limitedKey: await addKey('Bench, limited', 1_000_000_000) };
};

const day = 24 * 60 * 60 * 1000;

/**
 * One statement, because a million rows through any other way take minutes. Ids are random, as in use; times lie
 * before today, a second apart; every fourth voucher was used and has expired. None expires while it is measured.
 * They have their search words, as `toSearchWords` makes them: the service would complete missing ones while it is
 * measured.
 */
const addToSqlite = async ({ write }: Database, from: number, to: number): Promise<void> => {
  const start = nodeSystem.now() - 30 * day;
  await write.raw(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id,
       intent_id, status, used_count, created_at, expires_at, words)
     with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?),
       coded(n, code) as materialized (
         select n, printf('%010d', abs(random() % 10000000000)) from numbers)
     select n % ? + 1, code, '2026-11-14_Familie Berger ' || n, 1, 480, 1,
       lower(hex(randomblob(16))), lower(hex(randomblob(16))), iif(n % 4 = 0, 'used', 'valid'), n % 4 = 0,
       ? + n * 1000, iif(n % 4 = 0, ? + n * 1000 + 28800000, null),
       json_array('familie', 'berger', cast(n as text), code, substr(code, 6))
     from coded`,
    [from, to, siteCount, start, start],
  );
};

/** The same for PostgreSQL. */
const addToPostgres = async ({ write }: Database, from: number, to: number): Promise<void> => {
  const start = nodeSystem.now() - 30 * day;
  await write.raw(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id,
       intent_id, status, used_count, created_at, expires_at, words)
     with coded(n, code) as materialized (
       select n, lpad(floor(random() * 10000000000)::bigint::text, 10, '0')
       from generate_series(?::bigint, ?::bigint) as numbers(n))
     select n % ? + 1, code, '2026-11-14_Familie Berger ' || n,
       1, 480, 1, md5(random()::text), md5(random()::text), case when n % 4 = 0 then 'used' else 'valid' end,
       case when n % 4 = 0 then 1 else 0 end, ?::bigint + n * 1000,
       case when n % 4 = 0 then ?::bigint + n * 1000 + 28800000 end,
       json_build_array('familie', 'berger', n::text, code, substr(code, 6))::text
     from coded`,
    [from, to - 1, siteCount, start, start],
  );
  await write.raw('vacuum analyze');
};
