import { makeDataDir, readConfig, type Config } from '../config/config.js';
import { findUnknownSettings, formatUnknownSetting } from '../config/unknownSettings.js';
import type { ControllerDeps } from '../controllers/controller.js';
import type { ControllerRegistry } from '../controllers/registry.js';
import type { Log } from '../log/log.js';
import { nodeSystem, type Clock } from '../lib/system.js';
import type { Actor } from '../audit/audit.js';
import type { Database } from '../database/database.js';
import type { Tables } from '../app/tables.js';
import type { Io } from './io.js';
import { checkPlace, type WithoutDatabase } from './newDatabase.js';

// Drivers, tables and adapters are loaded when a command opens them:
// help texts and refused command lines need none.

/** What a command works with. */
export interface OpenedTables {
  readonly config: Config;
  readonly database: Database;
  readonly tables: Tables;
  /** The database's clock, for times that services compare with theirs. */
  readonly clock: Clock;
  /** The migrations that opening it has run. */
  readonly migrated: readonly string[];
}

/** The actor of commands in the audit log: somebody with a shell on the machine of the service. */
export const commandLineActor: Actor = { kind: 'command line', name: null, address: null };

/** Prints a line about each variable that looks like a misspelt setting. */
export const warnOfUnknownSettings = ({ env, err }: Pick<Io, 'env' | 'err'>): void => {
  for (const unknown of findUnknownSettings(env)) err(`${formatUnknownSetting(unknown)}\n`);
};

/**
 * Opens the database for one command, brings it up to date, and closes it again. Works while the server runs.
 */
export const withTables = async <T>(
  io: Io,
  use: (opened: OpenedTables) => Promise<T>,
  withoutDatabase: WithoutDatabase = 'refuse',
): Promise<T> => {
  const config = readConfig(io.env);
  warnOfUnknownSettings(io);
  const place = await checkPlace(io, config, withoutDatabase);
  makeDataDir(config);
  io.err(place);
  return withDatabase(config, async (database) => {
    const { openDatabaseClock } = await import('../database/databaseClock.js');
    const { migrate } = await import('../database/migrator.js');
    const { makeTables } = await import('../app/tables.js');
    const migrated = await migrate(database, {
      onBegin: (name) => io.err(`migrating the database: ${name} …\n`),
      onBlocked: (name) =>
        io.err(`${name} waits for a lock: another session, for instance a backup, uses the table\n`),
    });
    const clock = await openDatabaseClock(database, nodeSystem);
    const tables = makeTables(database);
    return use({ config, database, tables, clock, migrated });
  });
};

/** Opens the database and closes it again. Its errors are explained in terms of the settings. */
const withDatabase = async <T>(config: Config, use: (database: Database) => Promise<T>): Promise<T> => {
  const { openDatabase } = await import('../database/database.js');
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
    const { explainDatabaseError } = await import('../database/databaseErrors.js');
    throw explainDatabaseError(error, config);
  }
};

/** Opens the controllers for one command, and closes them again. */
export const withControllers = async <T>(
  config: Config,
  use: (controllers: ControllerRegistry) => Promise<T>,
): Promise<T> => {
  const { makeControllerRegistry } = await import('../controllers/registry.js');
  const controllers = makeControllerRegistry(await makeControllerDeps(config));
  try {
    return await use(controllers);
  } finally {
    await controllers.close();
  }
};

/** What controllers need when a command asks them. */
export const makeControllerDeps = async (config: Config): Promise<ControllerDeps> => {
  const { openStoredSecrets } = await import('../secrets/secretKey.js');
  return {
    dataDir: config.dataDir,
    system: nodeSystem,
    log: await makeSilentLog(),
    deadlineMs: config.controllerDeadlineMs,
    // A command revokes the voucher that it creates, so it
    // does not matter whether it belongs to another order.
    unrecorded: (_, vouchers) => Promise.resolve([...vouchers]),
    // It leaves alone what may belong to an order of the service.
    isOrderOpen: () => Promise.resolve(true),
    secrets: () => openStoredSecrets(config),
  };
};

/** A log for parts of the service that a command runs: the command itself reports what happened. */
export const makeSilentLog = async (): Promise<Log> => (await import('pino')).default({ level: 'silent' });
