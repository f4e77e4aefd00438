import { statSync } from 'node:fs';
import { errorCode } from '../../lib/errorCode.js';
import { openSqliteUntouched } from '../sqlite.js';
import { CopyError } from './copyError.js';

/**
 * Refuses a SQLite file of another program before it is opened as ours, which would switch it to WAL. What can't be
 * found out here is found when it is opened.
 */
export const assertNotForeign = async (file: string, label: string): Promise<void> => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const tables = await listTables(file);
  if (tables.length > 0 && !tables.includes('migrations'))
    throw new CopyError(
      'foreign-tables',
      `${label} has tables of another program (${tables.slice(0, 3).join(', ')}): name a database of voucherd, or an empty one`,
    );
};

const listTables = async (file: string): Promise<string[]> => {
  const db = openSqliteUntouched(file);
  try {
    return await db('sqlite_master')
      .where({ type: 'table' })
      .whereNot('name', 'like', 'sqlite_%')
      .orderBy('name')
      .pluck<string[]>('name');
  } catch (error) {
    if (errorCode(error) === 'SQLITE_NOTADB') throw error;
    return [];
  } finally {
    await db.destroy();
  }
};
