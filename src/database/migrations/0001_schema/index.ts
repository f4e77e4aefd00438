import type { Knex } from 'knex';
import { createApiKeys } from './apiKeys.js';
import { createControllers } from './controllers.js';
import { createKiosks } from './kiosks.js';
import { createMessages } from './messages.js';
import { createOrderTables } from './orders.js';
import { createService } from './service.js';
import { createSites } from './sites.js';
import { createUsers } from './users.js';
import { createVoucherTables } from './vouchers.js';

/** All tables of 1.0.0. Times are milliseconds since 1970. A table comes after those that it refers to. */
export const createSchema = async (db: Knex): Promise<void> => {
  await createService(db);
  await createControllers(db);
  await createSites(db);
  await createUsers(db);
  await createApiKeys(db);
  await createOrderTables(db);
  await createVoucherTables(db);
  await createKiosks(db);
  await createMessages(db);
};
