import type { Knex } from 'knex';

/** Sites, and what is set up for them: slips, texts, printers, profiles, limits of orders. */
export const createSites = async (db: Knex): Promise<void> => {
  await db.schema.createTable('sites', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    table.boolean('active').notNullable();
    table.integer('controller_id').notNullable().references('controllers.id');
    table.text('controller_site');
    table.bigInteger('created_at').notNullable();
    // How guests join its wireless network.
    table.text('ssid');
    // open, wpa or sae.
    table.text('wifi_kind').notNullable().defaultTo('open');
    table.boolean('is_wifi_hidden').notNullable().defaultTo(false);
    // Null for an open network.
    table.text('sealed_wifi_password');
    table.integer('default_profile_id');
    table.text('slip_text');
    // Null where nothing was chosen.
    table.text('slip_paper');
    // off, browser or printer.
    table.text('print_at_once').notNullable().defaultTo('off');
    // The receipt printer, for `printer` only.
    table.integer('printer_id');
  });
  await db.schema.createTable('site_logos', (table) => {
    table.integer('site_id').primary().references('sites.id');
    table.text('media_type').notNullable();
    table.binary('image').notNullable();
  });
  // Own texts for guests: a row for each site that has some, and one for all sites, whose number is 0.
  await db.schema.createTable('guest_texts', (table) => {
    table.integer('site_id').primary();
    // As JSON: by language, then by the name of the text.
    table.text('texts').notNullable();
  });
  await createPrinters(db);
  await createProfiles(db);
  await createOrderLimits(db);
};

/** Receipt printers on the network, and the sites that they are for. */
const createPrinters = async (db: Knex): Promise<void> => {
  await db.schema.createTable('printers', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    // What names are compared by.
    table.text('name_key').notNullable().unique();
    table.text('host').notNullable();
    table.integer('port').notNullable();
    table.text('paper').notNullable();
    table.boolean('for_all_sites').notNullable();
  });
  await db.schema.createTable('printer_sites', (table) => {
    table.integer('printer_id').notNullable().references('printers.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.primary(['printer_id', 'site_id']);
  });
};

const createProfiles = async (db: Knex): Promise<void> => {
  await db.schema.createTable('profiles', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    // What names are compared by.
    table.text('name_key').notNullable().unique();
    table.integer('max_uses').notNullable();
    table.integer('expire_minutes').notNullable();
    table.integer('down').notNullable();
    table.integer('up').notNullable();
    table.integer('quota_mb').notNullable();
    table.boolean('for_all_sites').notNullable();
    // From 0. Those without one come last, by name: new ones, and all until an administrator has ordered them.
    table.integer('position');
    table.boolean('is_default').notNullable().defaultTo(false);
  });
  await db.schema.createTable('profile_sites', (table) => {
    table.integer('profile_id').notNullable().references('profiles.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.primary(['profile_id', 'site_id']);
  });
};

/** What a role may order, everywhere or at one site. Null is no limit. */
const createOrderLimits = async (db: Knex): Promise<void> => {
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
};
