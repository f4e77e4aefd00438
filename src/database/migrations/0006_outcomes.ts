import type { Knex } from 'knex';

export const addIntentOutcomes = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('intents', (table) => {
    // When the order ended without an outcome; null while it is under way, or when its process was killed.
    table.bigInteger('ended_at');
    // By how much the controller's clock was ahead then, at least and at most; null when that was not known.
    table.bigInteger('clock_at_least');
    table.bigInteger('clock_at_most');
    // The client was told that there is no voucher: one that was made all the same is revoked.
    table.boolean('is_void').notNullable().defaultTo(false);
  });
  await db.schema.alterTable('controllers', (table) => {
    // What tells its console from others, as far as it was seen.
    table.text('identity');
  });
  await db.schema.alterTable('vouchers', (table) => {
    // One console that was stored as two controllers gave the same voucher to two orders: these are the second ones.
    table.boolean('is_duplicate').notNullable().defaultTo(false);
  });
  await db.raw(
    `update vouchers set is_duplicate = true where id in
      (select later.id from vouchers as later
       join vouchers as earlier on earlier.code = later.code and earlier.name = later.name and earlier.id < later.id)`,
  );
  // From now on no voucher is given to two orders, whichever way leads to its console.
  await db.raw('create unique index vouchers_once on vouchers (code, name) where not is_duplicate');
};
