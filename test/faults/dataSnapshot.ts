import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import knex, { type Knex } from 'knex';

interface Recorded {
  readonly controller_id: number;
  readonly controller_voucher_id: string;
  readonly code: string;
  readonly name: string;
}

export interface Made {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

/** What the service has written down, and what its controllers have really made. */
export interface DataSnapshot {
  readonly vouchers: readonly Recorded[];
  readonly made: readonly Made[];
  readonly intents: readonly { readonly name: string }[];
  readonly notifications: readonly { readonly count: number }[];
}

const openFile = async <T>(filename: string, read: (db: Knex) => Promise<T>): Promise<T> => {
  const db = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
  try {
    return await read(db);
  } finally {
    await db.destroy();
  }
};

const filesIn = (dataDir: string): { service: string; controllers: string[] } => ({
  service: join(dataDir, 'voucherd.sqlite'),
  controllers: readdirSync(dataDir)
    .filter((name) => /^simulated-\d+\.sqlite$/.test(name))
    .map((name) => join(dataDir, name)),
});

/** Reads both sides, each in a connection of its own that has nothing to do with the service's. */
export const readDataSnapshot = async (dataDir: string): Promise<DataSnapshot> => {
  const { service, controllers } = filesIn(dataDir);
  const made = await Promise.all(
    // A controller's file without its table is as old as its first order, and empty.
    controllers.map((file) =>
      openFile(file, async (db) =>
        (await db.schema.hasTable('vouchers')) ? db<Made>('vouchers').select('id', 'code', 'name') : [],
      ),
    ),
  );
  const tables = await openFile(service, (db) =>
    db.transaction(async (transaction) => ({
      vouchers: await transaction<Recorded>('vouchers').select(
        'controller_id',
        'controller_voucher_id',
        'code',
        'name',
      ),
      intents: await transaction<{ name: string }>('intents').select('name'),
      notifications: await transaction<{ count: number }>('notifications').select('count'),
    })),
  );
  return { ...tables, made: made.flat() };
};

/** Nothing is half-written: vouchers and notifications one to one, and none that no controller has. */
export const expectNothingHalfWritten = ({ vouchers, made, intents, notifications }: DataSnapshot): void => {
  expect(notifications).toHaveLength(vouchers.length);
  expect(notifications.every(({ count }) => count === 1)).toBe(true);
  const known = new Map(made.map(({ id, code, name }) => [id, { code, name }]));
  expect(vouchers.map(({ controller_voucher_id: id }) => known.get(id))).toEqual(
    vouchers.map(({ code, name }) => ({ code, name })),
  );
  expect(new Set(vouchers.map(({ code }) => code)).size).toBe(vouchers.length);
  const recorded = new Set(vouchers.map(({ controller_voucher_id: id }) => id));
  const open = new Set(intents.map(({ name }) => name));
  expect(made.filter(({ id, name }) => !recorded.has(id) && !open.has(name))).toEqual([]);
};

/** Every voucher of every controller is recorded exactly once, and nothing is open. */
export const expectSettled = (books: DataSnapshot): void => {
  expectNothingHalfWritten(books);
  expect(books.intents).toEqual([]);
  const ids = books.vouchers.map(({ controller_voucher_id: id }) => id).sort();
  expect(ids).toEqual(books.made.map(({ id }) => id).sort());
};

/** The files are whole. */
export const expectWholeFiles = async (dataDir: string): Promise<void> => {
  const { service, controllers } = filesIn(dataDir);
  for (const file of [service, ...controllers]) {
    const [integrity, references] = await openFile(file, async (db) => [
      (await db.raw('PRAGMA integrity_check')) as unknown,
      (await db.raw('PRAGMA foreign_key_check')) as unknown,
    ]);
    expect(integrity).toEqual([{ integrity_check: 'ok' }]);
    expect(references).toEqual([]);
  }
};
