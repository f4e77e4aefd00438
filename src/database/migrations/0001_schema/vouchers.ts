import type { Knex } from 'knex';
import { createVoucherSearch } from './voucherSearch.js';

export const createVoucherTables = async (db: Knex): Promise<void> => {
  await db.schema.createTable('vouchers', (table) => {
    table.bigIncrements('id');
    table.integer('site_id').notNullable().references('sites.id');
    table.text('code').notNullable();
    // How many characters of the code are shown as a block, 0 for all of them; null for five.
    table.integer('code_block');
    table.text('name').notNullable();
    table.integer('max_uses').notNullable();
    table.integer('expire_minutes').notNullable();
    // As they were ordered; null where that is not known.
    table.integer('down');
    table.integer('up');
    table.integer('quota_mb');
    table.integer('profile_id');
    table.integer('controller_id').notNullable().references('controllers.id');
    table.text('controller_voucher_id');
    // What the controller calls it, where that is not its name.
    table.text('controller_name');
    // The intent that it came from, and which of its vouchers it is; null for vouchers that were not ordered here.
    table.text('intent_id');
    table.integer('position').notNullable().defaultTo(0);
    // Who ordered it: what they are, their name, and how notifications call them. Null where that is not known.
    table.text('actor_kind');
    table.text('actor_name');
    table.text('source');
    // Of vouchers that the API has created, null.
    table.integer('user_id');
    table.text('status').notNullable();
    table.integer('used_count').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at');
    table.bigInteger('revoked_at');
    // For vouchers without another time of their end: when it was first seen that they are gone from their controller.
    table.bigInteger('ended_at');
    // One console that was stored as two controllers gave the same voucher to two orders: these are the second ones.
    table.boolean('is_duplicate').notNullable().defaultTo(false);
    // The words that it is found by, as a JSON array.
    table.text('words').notNullable().defaultTo('[]');
    // An order is recorded once, whoever records it.
    table.unique(['intent_id', 'position']);
    table.unique(['controller_id', 'controller_voucher_id']);
    // The list of a site is one range of this index.
    table.index(['site_id', 'created_at', 'id'], 'vouchers_by_site');
    // The same console may be stored twice, by its own address and by the cloud's: the reconciler asks by code.
    table.index('code', 'vouchers_by_code');
  });
  // No voucher is given to two orders, whichever way leads to its console.
  await db.raw('create unique index vouchers_once on vouchers (code, name) where not is_duplicate');
  // The sync asks for what has not expired site by site: a controller may have a thousand of them.
  await db.raw(
    "create index vouchers_unexpired on vouchers (controller_id, site_id, controller_voucher_id) where status <> 'expired'",
  );
  // Vouchers that have expired since the last sync; new ones are not among them.
  await db.raw(
    `create index vouchers_overdue on vouchers (expires_at)
     where expires_at is not null and status <> 'expired' and revoked_at is null`,
  );
  // For the overview. New vouchers are not part of the first.
  await db.raw(
    'create index vouchers_used on vouchers (site_id, created_at, used_count) where used_count > 0',
  );
  await db.raw("create index vouchers_valid on vouchers (site_id, expires_at) where status = 'valid'");
  // SQLite reads a row for what is not in the index, although its condition says it.
  await db.raw(
    `create index vouchers_in_use on vouchers (site_id, expires_at, used_count)
     where status = 'valid' and used_count > 0`,
  );
  // For retention, which removes old vouchers site by site.
  await db.raw(
    `create index vouchers_ended on vouchers (site_id, (coalesce(revoked_at, expires_at, ended_at)))
     where status = 'expired'`,
  );
  await createVoucherSearch(db);
  await createRemovedVoucherCounts(db);
};

/**
 * What reports know of vouchers that retention has removed: how many were created in each quarter of an hour, and by
 * whom. A quarter, because every time zone begins its days at one. Unknown creators and profiles are '' and 0, because
 * null is never equal to null in a key.
 */
const createRemovedVoucherCounts = async (db: Knex): Promise<void> => {
  await db.schema.createTable('removed_voucher_counts', (table) => {
    table.bigInteger('quarter').notNullable();
    table.integer('site_id').notNullable();
    table.text('creator_kind').notNullable();
    table.text('creator').notNullable();
    table.integer('profile_id').notNullable();
    table.text('state').notNullable();
    table.integer('created').notNullable();
    table.integer('used').notNullable();
    table.primary(['quarter', 'site_id', 'creator_kind', 'creator', 'profile_id', 'state']);
  });
};
