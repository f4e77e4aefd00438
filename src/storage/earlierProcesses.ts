import { DatabaseError, type Database } from './database.js';
import { sessionTag } from './postgresClient.js';
import { acquireServiceLock } from './serviceLock.js';

/**
 * Whether a service may be running that is older than the tag and does not read what this version writes differently.
 * Any session of the same role without the tag counts as one. On SQLite a service holds a lock; it must not ask itself.
 */
export const hasEarlierProcesses = async ({ dialect, file, read }: Database): Promise<boolean> => {
  if (dialect === 'sqlite') return isLocked(`sqlite:${String(file)}`);
  const session: unknown = await read('pg_stat_activity')
    .whereRaw('datname = current_database() and usename = current_user')
    .where('backend_type', 'client backend')
    .whereRaw("coalesce(application_name, '') not like ?", [`%${sessionTag}%`])
    .first('pid');
  return session !== undefined;
};

const isLocked = async (databaseUrl: string): Promise<boolean> => {
  try {
    await (
      await acquireServiceLock(databaseUrl)
    )();
    return false;
  } catch (error) {
    if (error instanceof DatabaseError) return true;
    throw error;
  }
};
