import { generateApiKey } from '../../../src/apiKeys/apiKeys.js';
import { makeTables } from '../../../src/app/tables.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/migrator.js';
import { nodeSystem } from '../../../src/lib/system.js';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** What the load needs of a seeded database. */
export interface SeededService {
  readonly key: string;
  readonly siteIds: readonly number[];
}

/** How many vouchers of each site have not ended. */
const validPerSite = 400;

/** Fills a database with vouchers that ended 100 days ago and more, over some sites, and a few that have not. */
export const seedEndedVouchers = async (
  url: string,
  { ended, sites }: { readonly ended: number; readonly sites: number },
): Promise<SeededService> => {
  const database = openDatabase(url, { timeoutMs: 3_600_000 });
  try {
    await migrate(database);
    const tables = makeTables(database);
    const now = nodeSystem.now();
    const controllerId = await tables.controllers.add({ name: 'a', kind: 'simulated', settings: {} }, now);
    const siteIds: number[] = [];
    for (let number = 1; number <= sites; number++) {
      const site = { name: `Haus ${String(number)}`, active: true, controllerId, controllerSite: null };
      siteIds.push(await tables.sites.add(site, now));
    }
    const { key, prefix, hash } = generateApiKey(nodeSystem);
    const times = { createdAt: now, expiresAt: null };
    await tables.apiKeys.add({ name: 'Last', prefix, hash, scope: 'write', rateLimit: 0, ...times });
    if (database.dialect === 'sqlite') {
      await database.write.raw('pragma synchronous = off');
      await database.write.raw('pragma cache_size = -400000');
    }
    const oldest = now - 100 * dayMs - ended * 1000;
    await addVouchers(database, { count: ended, sites, controllerId, first: 0, status: 'expired', oldest });
    await addVouchers(database, {
      ...{ count: validPerSite * sites, sites, controllerId, first: ended, status: 'valid' },
      oldest: now - hourMs,
    });
    await database.write.raw(database.dialect === 'postgres' ? 'vacuum analyze' : 'analyze');
    if (database.dialect === 'sqlite') await database.write.raw('pragma wal_checkpoint(truncate)');
    return { key, siteIds };
  } finally {
    await database.close();
  }
};

export interface SampleVouchers {
  readonly count: number;
  readonly sites: number;
  readonly controllerId: number;
  /** The number of the first one. */
  readonly first: number;
  readonly status: 'expired' | 'valid';
  /** When the first one was created; each is a second younger than the one before. */
  readonly oldest: number;
}

/** In one statement, with ids as controllers give them, and search words as the service makes them. */
export const addVouchers = async (
  { dialect, write }: Database,
  { count, sites, controllerId, first, status, oldest }: SampleVouchers,
): Promise<void> => {
  const isPostgres = dialect === 'postgres';
  const numbers = isPostgres
    ? 'select n from generate_series(cast(? as bigint), cast(? as bigint)) as counted (n)'
    : 'with recursive counted (n) as (select ? union all select n + 1 from counted where n < ?) select n from counted';
  const randomId = isPostgres ? "replace(gen_random_uuid()::text, '-', '')" : 'lower(hex(randomblob(16)))';
  const isExpired = status === 'expired';
  const createdAt = isExpired ? `${String(oldest)} + n * 1000` : String(oldest);
  await write.raw(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id,
       intent_id, status, used_count, created_at, expires_at, source, actor_kind, actor_name, words)
     select 1 + n % ${String(sites)}, code, '2026-11-14_Familie Berger ' || n, 1, 480, ${String(controllerId)},
       ${randomId}, ${randomId}, '${status}', ${isExpired ? '1' : '0'}, ${createdAt},
       ${isExpired ? `${createdAt} + 28800000` : 'null'}, 'API: Last', 'key', 'Last',
       '["familie","berger","' || n || '","' || code || '","' || substr(code, 6) || '"]'
     from (select n, cast(1000000000 + (n * 7919) % 8999999999 as text) as code from (${numbers}) as picked) as samples`,
    [first, first + count - 1],
  );
};
