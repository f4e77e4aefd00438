import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DatabaseError, type Database } from './database.js';
import { sessionTag } from './postgresClient.js';
import { acquireServiceLock } from './serviceLock.js';

/** A session gets its tag just after it was opened. */
const tagDelayMs = 1000;

/**
 * Whether a service may be running that is older than the tag and does not read what this version writes differently.
 * Any session of the same role that stays without the tag counts as one. On SQLite a service holds a lock; it must not
 * ask itself.
 */
export const hasEarlierProcesses = async ({ dialect, file, read }: Database): Promise<boolean> => {
  if (dialect === 'sqlite') return isLocked(`sqlite:${String(file)}`);
  const untagged = await findUntagged(read);
  if (untagged.length === 0) return false;
  await pause(tagDelayMs);
  const still = new Set(await findUntagged(read));
  return untagged.some((pid) => still.has(pid));
};

const findUntagged = (read: Knex): Promise<number[]> =>
  read('pg_stat_activity')
    .whereRaw('datname = current_database() and usename = current_user')
    .where('backend_type', 'client backend')
    .whereRaw("coalesce(application_name, '') not like ?", [`%${sessionTag}%`])
    .pluck<number[]>('pid');

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
