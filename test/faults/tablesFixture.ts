import { join } from 'node:path';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase } from '../../src/database/database.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { putSqliteDatabase } from '../support/databases.js';

/** Writes what a service needs before it is started for the first time, and returns a key without a limit. */
export const prepareTables = async (
  dataDir: string,
  add: (tables: Tables, now: number) => Promise<void>,
): Promise<string> => {
  await putSqliteDatabase(dataDir);
  const database = openDatabase(`sqlite:${join(dataDir, 'voucherd.sqlite')}`);
  try {
    const tables = makeTables(database);
    const now = nodeSystem.now();
    const { key, prefix, hash } = generateApiKey(nodeSystem);
    await tables.apiKeys.add({
      name: 'Last',
      prefix,
      hash,
      scope: 'write',
      rateLimit: 0,
      createdAt: now,
      expiresAt: null,
    });
    await add(tables, now);
    return key;
  } finally {
    await database.close();
  }
};
