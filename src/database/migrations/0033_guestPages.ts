import type { Knex } from 'knex';

/** Kiosks that guests open at a public address, and requests there that wait for staff. */
export const createGuestPages = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('kiosks', (table) => {
    // The last part of its public address; null for kiosks, which only their link opens.
    table.text('slug');
    table.boolean('needs_approval').notNullable().defaultTo(false);
  });
  await db.raw('create unique index kiosks_by_slug on kiosks (slug) where slug is not null');
  await db.schema.createTable('guest_requests', (table) => {
    // Chosen by the page. The order has the same.
    table.text('id').primary();
    table.integer('kiosk_id').notNullable().references('kiosks.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.integer('profile_id').notNullable();
    table.text('name').notNullable();
    table.text('state').notNullable();
    table.text('address').notNullable();
    table.text('decided_by');
    table.bigInteger('created_at').notNullable();
    table.index(['kiosk_id', 'created_at'], 'guest_requests_by_kiosk');
    table.index(['created_at'], 'guest_requests_by_time');
  });
};
