import { makeDataDir, readConfig, type Config } from '../config.js';
import { systemEffects } from '../effects.js';
import { openDatabase, type Database } from '../storage/database.js';
import { openDatabaseClock, type Clock } from '../storage/databaseClock.js';
import { explainDatabaseError } from '../storage/databaseTrouble.js';
import { migrate } from '../storage/migrate.js';
import { makeStorage, type Storage } from '../storage/storage.js';
import { bindStoredSecrets } from '../unboundSecrets.js';
import type { Io } from './io.js';

export interface Opened {
  readonly config: Config;
  readonly database: Database;
  readonly storage: Storage;
  /** For what the services compare with their time. */
  readonly clock: Clock;
}

/** Opens the database for one command, brings it up to date, and closes it again. Works while the server runs. */
export const withStorage = async <T>(io: Io, use: (opened: Opened) => Promise<T>): Promise<T> => {
  const config = readConfig(io.env);
  makeDataDir(config);
  return withDatabase(config, async (database) => {
    await migrate(database);
    const clock = await openDatabaseClock(database, systemEffects);
    const storage = makeStorage(database);
    await bindStoredSecrets(config, storage.sealed);
    return use({ config, database, storage, clock });
  });
};

/** Opens the database as it is, and closes it again. What is wrong with it is said in words of the settings. */
export const withDatabase = async <T>(
  config: Config,
  use: (database: Database) => Promise<T>,
): Promise<T> => {
  try {
    const database = openDatabase(config.databaseUrl, {
      poolMax: config.databasePoolMax,
      timeoutMs: config.databaseTimeoutMs,
    });
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw explainDatabaseError(error, config);
  }
};
