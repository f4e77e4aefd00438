import { removeEndedWindows } from '../rateLimit/windowCounter.js';
import type { Database } from '../database/database.js';
import type { AuthTables } from './auth.js';
import { knownBrowserMs } from './knownBrowsers.js';

/** Removes what is no longer needed: forgotten browsers, and ended windows of limits. */
export const cleanUpAuth = async (
  database: Database,
  tables: Pick<AuthTables, 'knownBrowsers'>,
  now: number,
): Promise<void> => {
  await tables.knownBrowsers.removeBefore(now - knownBrowserMs);
  await removeEndedWindows(database, now);
};
