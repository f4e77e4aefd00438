import { removeEndedWindows } from '../rateLimit/windowCounter.js';
import type { Database } from '../database/database.js';
import type { AuthTables } from './auth.js';
import { knownBrowserMs } from './knownBrowsers.js';
import { sessionBoundsAt } from './sessions.js';

const dayMs = 86_400_000;

/** Removes what is no longer needed: old entries of the audit log, ended sessions, forgotten browsers, and ended windows of limits. */
export const cleanUpAuth = async (
  database: Database,
  tables: Pick<AuthTables, 'auditLog' | 'sessions' | 'knownBrowsers'>,
  { auditDays, now }: { readonly auditDays: number; readonly now: number },
): Promise<void> => {
  await tables.auditLog.removeBefore(now - auditDays * dayMs);
  await tables.sessions.removeEnded(sessionBoundsAt(now));
  await tables.knownBrowsers.removeBefore(now - knownBrowserMs);
  await removeEndedWindows(database, now);
};
