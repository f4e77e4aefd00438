import { pino } from 'pino';
import { makeDataDir, readConfig, type Config } from '../config.js';
import { makeControllerRegistry, type ControllerRegistry } from '../controllers/registry.js';
import { nodeSystem, type Clock } from '../lib/system.js';
import { bindStoredSecrets } from '../secrets/rotation.js';
import { openStoredSecrets } from '../secrets/secretKey.js';
import { openDatabase, type Database } from '../storage/database.js';
import { openDatabaseClock } from '../storage/databaseClock.js';
import { explainDatabaseError } from '../storage/databaseErrors.js';
import { migrate } from '../storage/migrator.js';
import { makeStorage, type Storage } from '../storage/storage.js';
import type { Io } from './io.js';

export interface OpenedStorage {
  readonly config: Config;
  readonly database: Database;
  readonly storage: Storage;
  /** For what the services compare with their time. */
  readonly clock: Clock;
}

/** Opens the database for one command, brings it up to date, and closes it again. Works while the server runs. */
export const withStorage = async <T>(io: Io, use: (opened: OpenedStorage) => Promise<T>): Promise<T> => {
  const config = readConfig(io.env);
  makeDataDir(config);
  return withDatabase(config, async (database) => {
    await migrate(database);
    const clock = await openDatabaseClock(database, nodeSystem);
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

/** The controllers for the time of one command. */
export const withControllers = async <T>(
  config: Config,
  use: (controllers: ControllerRegistry) => Promise<T>,
): Promise<T> => {
  const controllers = makeControllerRegistry({
    dataDir: config.dataDir,
    system: nodeSystem,
    log: pino({ level: 'silent' }),
    deadlineMs: config.controllerDeadlineMs,
    // A command that makes a voucher revokes it: whose else it may be matters only to orders.
    unrecorded: (_, vouchers) => Promise.resolve([...vouchers]),
    secrets: () => openStoredSecrets(config),
  });
  try {
    return await use(controllers);
  } finally {
    await controllers.close();
  }
};
