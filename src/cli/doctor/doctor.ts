import type { Command } from 'commander';
import { readConfig, type Config } from '../../config/config.js';
import { findUnknownSettings, formatUnknownSetting } from '../../config/unknownSettings.js';
import { publicText } from '../../lib/publicText.js';
import { nodeSystem } from '../../lib/system.js';
import { listSecretFiles } from '../../config/secretFiles.js';
import { checkPermissions } from '../../diagnostics/filePermissions.js';
import { checkClock, checkDisk } from '../../diagnostics/machineChecks.js';
import type { Database } from '../../database/database.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import { CommandError, counted, formatCheckLine, markOf, type CheckResult, type Io } from '../io.js';
import { findMissingDatabase } from '../newDatabase.js';
import { checkLastHour } from './lastHour.js';
import { checkRecords, toCheckResult } from './recordChecks.js';
import { askService, describeService, isServing, type ServiceAnswer } from './service.js';

/** Adds the options of `doctor`, which checks everything that the service needs. */
export const addDoctorCommand = (doctor: Command, io: Io): void => {
  doctor.option('--json', 'print JSON').action(async (options: { json?: boolean }) => {
    const results = await runChecks(io);
    if (options.json) io.out(`${JSON.stringify(results, null, 2)}\n`);
    else
      for (const result of results)
        io.out(formatCheckLine(markOf(result), result.check, result.message, result.remedy));
    const failed = results.filter(({ ok }) => !ok).length;
    if (failed > 0)
      throw new CommandError(
        'checks-failed',
        `${String(failed)} of ${counted(results.length, 'check')} failed`,
      );
  });
};

const runChecks = async (io: Io): Promise<CheckResult[]> => {
  let config: Config;
  try {
    config = readConfig(io.env);
  } catch (error) {
    return [
      {
        check: 'configuration',
        ok: false,
        message: publicText(error),
        remedy: 'set the variable to an allowed value',
      },
    ];
  }
  const answer = await askService(config);
  const database = await checkDatabase(config, answer);
  return [
    { check: 'configuration', ok: true, message: `valid; data in ${config.dataDir}` },
    ...findUnknownSettings(io.env).map((unknown) => ({
      check: 'configuration',
      ok: false,
      message: formatUnknownSetting(unknown),
      remedy: `rename ${unknown.name}, or remove it`,
    })),
    toCheckResult(await checkDisk(config)),
    toCheckResult(checkClock(nodeSystem)),
    ...database.results,
    toCheckResult(await checkPermissions({ ...config, secretFiles: listSecretFiles(io.env) })),
    describeService(answer, database.identity),
  ];
};

interface CheckedDatabase {
  readonly results: readonly CheckResult[];
  /** Tells it from others; undefined when there is none, or it can't be read. */
  readonly identity: string | undefined;
}

const checkDatabase = async (config: Config, answer: ServiceAnswer): Promise<CheckedDatabase> => {
  const check = 'database';
  const refuse = (message: string, remedy: string): CheckedDatabase => ({
    results: [{ check, ok: false, message, remedy }],
    identity: undefined,
  });
  const missing = findMissingDatabase(config);
  // Opening it would create one.
  if (missing !== undefined)
    return refuse(
      `there is none in ${missing}`,
      `set DATA_DIR to that of the service, or start the service, which creates one: ${formatCommandLine('serve')}`,
    );
  const { DatabaseError, openDatabase } = await import('../../database/database.js');
  const { identifyDatabase } = await import('../../database/databaseIdentity.js');
  const { openDatabaseClock } = await import('../../database/databaseClock.js');
  const { diagnoseDatabaseError } = await import('../../database/databaseErrors.js');
  const { pendingMigrations } = await import('../../database/migrator.js');
  const { makeTables } = await import('../../app/tables.js');
  let database: Database | undefined;
  try {
    database = openDatabase(config.databaseUrl, { timeoutMs: config.databaseTimeoutMs });
    const pending = await pendingMigrations(database);
    const identity = await identifyDatabase(database).catch(() => undefined);
    if (pending.length > 0)
      return {
        ...refuse(`${counted(pending.length, 'migration')} pending`, formatCommandLine('migrate')),
        identity,
      };
    const [tables, clock] = [makeTables(database), await openDatabaseClock(database, nodeSystem)];
    const results = [
      { check, ok: true, message: `${database.dialect}, up to date` },
      ...(await checkRecords(config, tables, clock)),
      ...(await checkLastHour(tables, clock.now(), { ...config, isServing: isServing(answer, identity) })),
    ];
    return { results, identity };
  } catch (error) {
    const { message, remedy } = diagnoseDatabaseError(error, config) ?? {
      message: publicText(error),
      remedy: error instanceof DatabaseError ? remedyOf(error.code) : 'check DATABASE_URL',
    };
    return refuse(message, remedy);
  } finally {
    await database?.close();
  }
};

const remedyOf = (code: string): string => {
  if (code === 'unfinished-copy') return 'finish the copy, or name another database in DATABASE_URL';
  if (code === 'unreleased-version') return 'set DATA_DIR or DATABASE_URL to a new database';
  return 'start the newer program';
};
