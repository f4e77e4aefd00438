import type { Knex } from 'knex';

/** Kiosks where guests may have their voucher sent to a number that they type. */
export const addKioskSms = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('kiosks', (table) => {
    table.boolean('sends_sms').notNullable().defaultTo(false);
  });
};
