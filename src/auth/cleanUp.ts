import { removeEndedWindows } from '../apiKeys/rateLimiter.js';
import type { Database } from '../database/database.js';
import type { Storage } from '../app/tables.js';
import { knownBrowserMs } from './knownBrowsers.js';
import { sessionBoundsAt } from './sessions.js';

const dayMs = 86_400_000;

/** Removes what is no longer needed: old entries of the audit log, ended sessions, forgotten browsers, and ended windows of limits. */
export const cleanPeople = async (
  database: Database,
  storage: Storage,
  { auditDays, now }: { readonly auditDays: number; readonly now: number },
): Promise<void> => {
  await storage.auditLog.removeBefore(now - auditDays * dayMs);
  await storage.sessions.removeEnded(sessionBoundsAt(now));
  await storage.knownBrowsers.removeBefore(now - knownBrowserMs);
  await removeEndedWindows(database, now);
};
