import type { Knex } from 'knex';

/** What a role may order, everywhere or at one site. Null is no limit. */
export const createOrderLimits = async (db: Knex): Promise<void> => {
  await db.schema.createTable('order_limits', (table) => {
    table.increments('id');
    table.text('role').notNullable();
    // Null: at all sites for which the role has no rule of its own.
    table.integer('site_id').references('sites.id');
    table.boolean('allows_custom').notNullable();
    table.integer('max_expire_minutes');
    table.integer('max_uses');
    table.integer('max_count');
    table.integer('max_per_day');
    table.boolean('requires_name').notNullable();
  });
  // One rule for a role and a site, and one for a role and all sites.
  await db.raw('create unique index order_limits_of on order_limits (role, coalesce(site_id, 0))');
  // To count what a kiosk has given today.
  await db.schema.alterTable('orders', (table) => {
    table.index(['kiosk_id', 'created_at'], 'orders_by_kiosk');
  });
};
