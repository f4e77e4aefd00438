import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../src/database/database.js';
import { startPostgresServer, type PostgresServer } from '../../../scripts/lib/postgresServer.js';
import type { BenchOptions } from './options.js';
import { seedSites, fillVouchers, type SeededKeys } from './seed.js';
import type { Workspace } from './workspace.js';

/** A copy of the seeded data, for one process. */
export interface DataCopy {
  /** For what a service keeps beside its database. */
  readonly folder: string;
  readonly databaseUrl: string;
}

/** The seeded data. Everyone gets a copy. */
export interface SeededData {
  readonly keys: SeededKeys;
  /** A copy of the data with so many vouchers. */
  copy(vouchers?: number): Promise<DataCopy>;
  close(): Promise<void>;
}

/** How many vouchers there are, unless something else is asked for. */
export const usualSize = 100_000;

/** Where databases are, and how they are copied. */
interface DatabasePlace {
  create(name: string): Promise<string>;
  copy(from: string, name: string): Promise<string>;
  close(): Promise<void>;
}

const sqliteFiles = (folder: string): DatabasePlace => {
  const fileOf = (name: string): string => join(folder, `${name}.sqlite`);
  return {
    create: (name) => Promise.resolve(`sqlite:${fileOf(name)}`),
    copy: async (from, name) => {
      await copyFile(fileOf(from), fileOf(name));
      return `sqlite:${fileOf(name)}`;
    },
    close: () => Promise.resolve(),
  };
};

const postgresDatabases = (server: PostgresServer): DatabasePlace => {
  const administration = openDatabase(server.url, { timeoutMs: 600_000 });
  const create = async (name: string, template = 'template1'): Promise<string> => {
    await administration.write.raw(`create database ${name} template ${template}`);
    return server.urlOf(name);
  };
  return {
    create: (name) => create(name),
    copy: (from, name) => create(name, from),
    close: async () => {
      await administration.close();
      await server.stop();
    },
  };
};

/** Seeds one database that grows, and is copied at each size. */
export const seedData = async (
  workspace: Workspace,
  sizes: readonly number[],
  { database }: Pick<BenchOptions, 'database'>,
): Promise<SeededData> => {
  const place =
    database === 'postgres'
      ? postgresDatabases(await startPostgresServer({ isDurable: true }))
      : sqliteFiles(workspace.dir);
  const growing = await place.create('seed');
  const keys = await seedSites(growing);
  let count = 0;
  for (const size of sizes) {
    await fillVouchers(growing, count, size);
    count = size;
    await place.copy('seed', `seed_${size}`);
  }
  let copies = 0;
  return {
    keys,
    copy: async (vouchers = usualSize) => ({
      folder: await workspace.folder(),
      databaseUrl: await place.copy(`seed_${vouchers}`, `copy_${++copies}`),
    }),
    close: place.close,
  };
};
