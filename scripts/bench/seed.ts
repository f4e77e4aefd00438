import { generateApiKey } from '../../src/access/apiKeys.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrator.js';
import { makeStorage } from '../../src/storage/storage.js';

export const siteCount = 50;

/** How many vouchers a list holds at most, and every site has at least. */
export const listLength = 200;

/** A data file with 50 sites on one simulated controller, and a key without a limit that may write. */
export interface Seed {
  readonly key: string;
  /** Adds vouchers until there are this many, in turns over the sites. The file can then be copied. */
  grow(total: number): Promise<void>;
  close(): Promise<void>;
}

export const openSeed = async (file: string): Promise<Seed> => {
  const database = openDatabase(`sqlite:${file}`);
  await migrate(database);
  const key = await addSites(database);
  // Only this connection: nothing is lost by a crash while seeding, the file is made anew.
  await database.write.raw('PRAGMA synchronous = OFF');
  await database.write.raw('PRAGMA cache_size = -400000');
  let count = 0;
  return {
    key,
    grow: async (total) => {
      await addVouchers(database, count, total);
      count = total;
      await database.write.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close: () => database.close(),
  };
};

const addSites = async (database: Database): Promise<string> => {
  const storage = makeStorage(database);
  const now = nodeSystem.now();
  const controllerId = await storage.controllers.add({ name: 'Bench', kind: 'simulated', settings: {} }, now);
  for (let number = 1; number <= siteCount; number++) {
    const name = `Gebäude ${String(number).padStart(2, '0')}`;
    await storage.sites.add({ name, active: true, controllerId, controllerSite: null }, now);
  }
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  await storage.apiKeys.add({
    name: 'Bench',
    prefix,
    hash,
    scope: 'write',
    rateLimit: 0,
    createdAt: now,
    expiresAt: null,
  });
  return key;
};

/**
 * One statement, because a million rows through any other way take minutes. Ids are random, as in use; times lie
 * before today, a second apart; every fourth voucher was used and has expired. None expires while it is measured.
 */
const addVouchers = async ({ write }: Database, from: number, to: number): Promise<void> => {
  const day = 24 * 60 * 60 * 1000;
  const start = nodeSystem.now() - 30 * day;
  await write.raw(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id,
       intent_id, status, used_count, created_at, expires_at)
     with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?)
     select n % ? + 1, printf('%010d', abs(random() % 10000000000)), '2026-11-14_Familie Berger ' || n, 1, 480, 1,
       lower(hex(randomblob(16))), lower(hex(randomblob(16))), iif(n % 4 = 0, 'used', 'valid'), n % 4 = 0,
       ? + n * 1000, iif(n % 4 = 0, ? + n * 1000 + 28800000, null)
     from numbers`,
    [from, to, siteCount, start, start],
  );
};
