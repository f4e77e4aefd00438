import type { Knex } from 'knex';
import { createSchema } from './0001_schema/index.js';

export interface Migration {
  readonly name: string;
  readonly up: (db: Knex) => Promise<void>;
}

/** The schema of the first release. A database that has other migrations without it is of a version before. */
export const firstMigration: Migration = { name: '0001_schema', up: createSchema };

/** In the order in which they run. A migration that has been released is never changed. */
export const migrations: readonly Migration[] = [firstMigration];
