import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Database } from '../database.js';
import { acquireServiceLock, type ReleaseServiceLock } from '../serviceLock.js';

const lookIntervalMs = 250;
/** A session that is idle for this long has a process. One of a process that was killed ends as soon as it is idle. */
const idleMs = 1000;
/** How long a statement of a process that was killed may still run. */
const activeMs = 30_000;

/**
 * Whether another process of voucherd has a session in this PostgreSQL database. The pool that asks must have one
 * connection only, which is not counted.
 */
export const hasOtherProcesses = async ({ read }: Pick<Database, 'read'>): Promise<boolean> => {
  const began = performance.now();
  const idleSince = new Map<number, number>();
  for (;;) {
    const sessions = await read('pg_stat_activity')
      .whereRaw('datname = current_database() and pid <> pg_backend_pid()')
      .whereRaw("application_name like '%voucherd/%'")
      .select<{ pid: number; state: string | null }[]>('pid', 'state');
    if (sessions.length === 0) return false;
    const now = performance.now();
    for (const { pid, state } of sessions) {
      if (state === 'active') idleSince.delete(pid);
      else if (!idleSince.has(pid)) idleSince.set(pid, now);
      else if (now - (idleSince.get(pid) ?? now) >= idleMs) return true;
    }
    if (now - began > activeMs) return true;
    await pause(lookIntervalMs);
  }
};

/** Keeps services away from a SQLite file; undefined when one runs. PostgreSQL has no such lock. */
export const keepServicesAway = async ({
  dialect,
  file,
}: Database): Promise<ReleaseServiceLock | undefined> => {
  if (dialect === 'postgres') return () => Promise.resolve();
  try {
    return await acquireServiceLock(`sqlite:${String(file)}`);
  } catch (error) {
    if (error instanceof DatabaseError) return undefined;
    throw error;
  }
};
