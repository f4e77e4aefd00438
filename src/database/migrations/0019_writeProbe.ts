import type { Knex } from 'knex';

/** One row that readiness checks replace, to find out whether the database has room. */
export const createWriteProbe = async (db: Knex): Promise<void> => {
  await db.schema.createTable('write_probes', (table) => {
    table.increments('id');
    table.binary('filler').notNullable();
  });
};
