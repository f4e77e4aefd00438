import type { Knex } from 'knex';
import * as initial from './0001_initial.js';
import * as webhooks from './0002_webhooks.js';
import * as controllers from './0003_controllers.js';
import * as unexpired from './0004_unexpired.js';
import * as outcomes from './0006_outcomes.js';

export interface Migration {
  readonly name: string;
  readonly up: (db: Knex) => Promise<void>;
}

/** In the order in which they are run. A migration that was released is never changed. */
export const migrations: readonly Migration[] = [
  { name: '0001_initial', up: initial.up },
  { name: '0002_webhooks', up: webhooks.up },
  { name: '0003_controllers', up: controllers.up },
  { name: '0004_unexpired', up: unexpired.up },
  { name: '0006_outcomes', up: outcomes.up },
];
