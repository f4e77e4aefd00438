import type { Knex } from 'knex';
import { createInitialTables } from './0001_initial.js';
import { createWebhookTables } from './0002_webhooks.js';
import { alterControllers } from './0003_controllers.js';
import { indexUnexpiredVouchers } from './0004_unexpired.js';
import { addIntentOutcomes } from './0006_outcomes.js';
import { createPeopleTables } from './0007_people.js';
import { createPageTables } from './0008_pages.js';

export interface Migration {
  readonly name: string;
  readonly up: (db: Knex) => Promise<void>;
}

/** In the order in which they run. A migration that has been released is never changed. */
export const migrations: readonly Migration[] = [
  { name: '0001_initial', up: createInitialTables },
  { name: '0002_webhooks', up: createWebhookTables },
  { name: '0003_controllers', up: alterControllers },
  { name: '0004_unexpired', up: indexUnexpiredVouchers },
  { name: '0006_outcomes', up: addIntentOutcomes },
  { name: '0007_people', up: createPeopleTables },
  { name: '0008_pages', up: createPageTables },
];
