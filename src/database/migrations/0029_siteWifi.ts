import type { Knex } from 'knex';

/** How guests join the wireless network of a site. */
export const addSiteWifi = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('sites', (table) => {
    // open, wpa or sae.
    table.text('wifi_kind').notNullable().defaultTo('open');
    table.boolean('is_wifi_hidden').notNullable().defaultTo(false);
    // Null for an open network.
    table.text('sealed_wifi_password');
  });
};
