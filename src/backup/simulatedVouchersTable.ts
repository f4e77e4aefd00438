import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import { createSimulatedTable, simulatedFile } from '../controllers/simulated/simulated.js';
import type { Database } from '../database/database.js';
import { openSqliteFile } from '../database/sqlite.js';

// A simulated controller has its vouchers in a file of its own.
// Without them the sync would find all of them gone.

const tableOf = (id: number): string => `simulated_${String(id)}`;

/**
 * Adds the vouchers of simulated controllers to a backup. Taken after the snapshot,
 * so that each recorded voucher is among them, as on a real controller.
 */
export const addSimulatedVouchers = async ({ write: db }: Database, dataDir: string): Promise<void> => {
  const ids = await db('controllers').where({ kind: 'simulated' }).orderBy('id').pluck<number[]>('id');
  for (const id of ids) {
    const file = simulatedFile(dataDir, id);
    if (existsSync(file))
      await withAttached(db, file, async () => {
        const found = (await db.raw("select 1 from other.sqlite_master where name = 'vouchers'")) as object[];
        if (found.length > 0)
          await db.raw(`create table ${tableOf(id)} as select * from other.vouchers order by rowid`);
      });
  }
};

/** Does a table of a backup hold the vouchers of a simulated controller? */
export const isSimulatedTable = (name: string): boolean => /^simulated_\d+$/.test(name);

/** The simulated controllers whose vouchers are in a backup. */
export const findSimulatedControllers = async ({ read: db }: Database): Promise<number[]> => {
  const names = await db('sqlite_master')
    .where({ type: 'table' })
    .andWhere('name', 'like', 'simulated_%')
    .pluck<string[]>('name');
  return names.flatMap((name) => {
    const id = /^simulated_(\d+)$/.exec(name)?.[1];
    return id === undefined ? [] : [Number(id)];
  });
};

/** Moves the vouchers of a simulated controller from a backup into an empty file of their own. */
export const moveSimulatedVouchers = async (
  { write: db }: Database,
  id: number,
  target: string,
): Promise<void> => {
  const simulated = openSqliteFile(target, 1, '');
  try {
    await createSimulatedTable(simulated);
  } finally {
    await simulated.destroy();
  }
  const names =
    'id, site, code, name, max_uses, expire_minutes, down, up, quota_mb, used_count, created_at, expires_at';
  await withAttached(db, target, () =>
    db.raw(`insert into other.vouchers (${names}) select ${names} from ${tableOf(id)} order by rowid`),
  );
  await db.raw(`drop table ${tableOf(id)}`);
};

const withAttached = async (db: Knex, file: string, work: () => Promise<unknown>): Promise<void> => {
  await db.raw('attach ? as other', [file]);
  try {
    await work();
  } finally {
    await db.raw('detach other');
  }
};
