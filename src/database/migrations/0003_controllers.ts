import type { Knex } from 'knex';

export const alterControllers = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('controllers', (table) => {
    // Users, passwords and keys, as sealed JSON; controllers without any have none.
    table.text('sealed_credentials');
    // One whose sites have vouchers stays for their sake; its credentials are gone.
    table.bigInteger('removed_at');
    table.dropUnique(['name']);
  });
  // The name of one that was removed is free again.
  await db.raw('create unique index controllers_by_name on controllers (name) where removed_at is null');
  await db.schema.alterTable('vouchers', (table) => {
    // The same console may be stored twice, by its own address and by the cloud's: the reconciler asks by code.
    table.index('code', 'vouchers_by_code');
  });
  // What the sync looks for on every list, however many have expired over the years.
  await db.raw(
    "create index vouchers_standing on vouchers (controller_id, controller_voucher_id) where status <> 'expired'",
  );
};
