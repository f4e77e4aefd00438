import { rootCertificates } from 'node:tls';
import type { Command } from 'commander';
import { readConfig, type Config } from '../../config/config.js';
import { findUnknownSettings, formatUnknownSetting } from '../../config/unknownSettings.js';
import { publicText } from '../../lib/publicText.js';
import { nodeSystem } from '../../lib/system.js';
import { checkClock, checkDisk, checkEmail, checkPermissions } from '../../diagnostics/machineChecks.js';
import type { Database } from '../../database/database.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import { CommandError, counted, formatCheckLine, markOf, type CheckResult, type Io } from '../io.js';
import { findMissingDatabase } from '../newDatabase.js';
import { checkLastHour } from './lastHour.js';
import { checkRecords, toCheckResult } from './recordChecks.js';

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
  const service = await checkService(config);
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
    toCheckResult(checkEmail(config)),
    ...(await checkDatabase(config, { isServing: service.ok })),
    toCheckResult(await checkPermissions(config)),
    service,
  ];
};

const checkDatabase = async (
  config: Config,
  { isServing }: { readonly isServing: boolean },
): Promise<CheckResult[]> => {
  const check = 'database';
  const missing = findMissingDatabase(config);
  // Opening it would create one.
  if (missing !== undefined)
    return [
      {
        check,
        ok: false,
        message: `there is none in ${missing}`,
        remedy: `set DATA_DIR to that of the service, or start the service, which creates one: ${formatCommandLine('serve')}`,
      },
    ];
  const { DatabaseError, openDatabase } = await import('../../database/database.js');
  const { openDatabaseClock } = await import('../../database/databaseClock.js');
  const { diagnoseDatabaseError } = await import('../../database/databaseErrors.js');
  const { pendingMigrations } = await import('../../database/migrator.js');
  const { makeTables } = await import('../../app/tables.js');
  let database: Database | undefined;
  try {
    database = openDatabase(config.databaseUrl, { timeoutMs: config.databaseTimeoutMs });
    const pending = await pendingMigrations(database);
    if (pending.length > 0) {
      const message = `${counted(pending.length, 'migration')} pending`;
      return [{ check, ok: false, message, remedy: formatCommandLine('migrate') }];
    }
    const [tables, clock] = [makeTables(database), await openDatabaseClock(database, nodeSystem)];
    return [
      { check, ok: true, message: `${database.dialect}, up to date` },
      ...(await checkRecords(config, tables, clock)),
      ...(await checkLastHour(tables, clock.now(), { ...config, isServing })),
    ];
  } catch (error) {
    const { message, remedy } = diagnoseDatabaseError(error, config) ?? {
      message: publicText(error),
      remedy: error instanceof DatabaseError ? remedyOf(error.code) : 'check DATABASE_URL',
    };
    return [{ check, ok: false, message, remedy }];
  } finally {
    await database?.close();
  }
};

const remedyOf = (code: string): string =>
  code === 'unfinished-copy'
    ? 'finish the copy, or name another database in DATABASE_URL'
    : 'start the newer program';

const checkService = async ({ host, port, unixSocket, tls, basePath }: Config): Promise<CheckResult> => {
  const check = 'service';
  const place = unixSocket
    ? `unix:${unixSocket.path}:`
    : `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  const url = `${tls ? 'https' : 'http'}://${place}${basePath}/readyz`;
  try {
    // The certificate names the public host and may be self-signed; it is trusted because it is our own.
    const https = {
      certificateAuthority: [...rootCertificates, String(tls?.cert ?? '')],
      checkServerIdentity: () => undefined,
    };
    const { got } = await import('got');
    await got(url, {
      timeout: { request: 3000 },
      retry: { limit: 0 },
      enableUnixSockets: unixSocket !== undefined,
      ...(tls && { https }),
    });
    return { check, ok: true, message: `ready at ${url}` };
  } catch (error) {
    return {
      check,
      ok: false,
      message: `${url}: ${publicText(error)}`,
      remedy: `start it: ${formatCommandLine('serve')}`,
    };
  }
};
