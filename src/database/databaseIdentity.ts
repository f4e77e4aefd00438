import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Database } from './database.js';

/**
 * Tells this database from all others, also from a restored backup of it: by when it was created, and by
 * where it is. It is a hash, so it tells nothing else.
 */
export const identifyDatabase = async (database: Database): Promise<string> => {
  const created = await database
    .read<{ name: string; done_at: number }>('migrations')
    .orderBy('name')
    .first('name', 'done_at');
  const place = database.file === undefined ? await placeInCluster(database) : placeOnDisk(database.file);
  const text = JSON.stringify([created?.name, Number(created?.done_at), ...place]);
  return createHash('sha256').update('voucherd database\n').update(text).digest('hex').slice(0, 32);
};

const placeOnDisk = (file: string): string[] => {
  const { dev, ino } = statSync(file, { bigint: true });
  return [String(dev), String(ino)];
};

const placeInCluster = async ({ read }: Database): Promise<string[]> => {
  const database = await read('pg_database')
    .whereRaw('datname = current_database()')
    .first<{ oid: number } | undefined>('oid');
  return [String(database?.oid), await clusterOf(read)];
};

/** The role may not be allowed to ask for it; then it is the same for all clusters. */
const clusterOf = async (read: Database['read']): Promise<string> => {
  try {
    const { rows } = await read.raw<{ rows: { id: string }[] }>(
      'select system_identifier::text as id from pg_control_system()',
    );
    return rows[0]?.id ?? '';
  } catch {
    return '';
  }
};
