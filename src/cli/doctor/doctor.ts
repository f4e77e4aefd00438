import { constants } from 'node:fs';
import { access, readdir, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { Command } from 'commander';
import { readConfig, type Config } from '../../config.js';
import { isOpenToOthers, makePrivateFolder } from '../../lib/privateFiles.js';
import { publicText } from '../../lib/problem.js';
import { nodeSystem } from '../../lib/system.js';
import type { Database } from '../../storage/database.js';
import { formatCommandLine, toQuotedWord } from '../commandLine.js';
import { CommandError, counted, formatCheckLine, type CheckResult, type Io } from '../io.js';
import { checkRecords } from './recordChecks.js';

/** Adds the options of `doctor`, which checks everything that the service needs. */
export const addDoctorCommand = (doctor: Command, io: Io): void => {
  doctor.option('--json', 'print JSON').action(async (options: { json?: boolean }) => {
    const results = await runChecks(io);
    if (options.json) io.out(`${JSON.stringify(results, null, 2)}\n`);
    else
      for (const { ok, check, says, advice } of results)
        io.out(formatCheckLine(ok ? 'ok' : 'FAIL', check, says, advice));
    const failed = results.filter(({ ok }) => !ok).length;
    if (failed > 0) throw new CommandError(`${String(failed)} of ${counted(results.length, 'check')} failed`);
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
        says: publicText(error),
        advice: 'set the variable to an allowed value',
      },
    ];
  }
  return [
    { check: 'configuration', ok: true, says: `valid; data in ${config.dataDir}` },
    await checkDisk(config),
    checkClock(),
    ...(await checkDatabase(config)),
    await checkPermissions(config),
    await checkService(config),
  ];
};

const checkDisk = async ({ dataDir }: Config): Promise<CheckResult> => {
  const check = 'disk';
  try {
    makePrivateFolder(dataDir);
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = Math.floor((bavail * bsize) / 1024 ** 2);
    return free >= 200
      ? { check, ok: true, says: `${String(free)} MiB free` }
      : {
          check,
          ok: false,
          says: `only ${String(free)} MiB free`,
          advice: `free at least 200 MiB on the disk of ${dataDir}`,
        };
  } catch (error) {
    return {
      check,
      ok: false,
      says: publicText(error),
      advice: `let this user write to ${dataDir}, or set DATA_DIR`,
    };
  }
};

/** Shows the time zone too, because each voucher's name holds the local date. */
const checkClock = (): CheckResult => {
  const now = new Date(nodeSystem.now());
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const ok = now.getFullYear() >= 2026 && now.getFullYear() < 2100;
  const says = `${now.toISOString().slice(0, 19)}Z, zone ${zone}`;
  return ok
    ? { check: 'clock', ok, says }
    : { check: 'clock', ok, says, advice: 'set the clock of this machine' };
};

const checkDatabase = async (config: Config): Promise<CheckResult[]> => {
  const check = 'database';
  const { DatabaseError, openDatabase } = await import('../../storage/database.js');
  const { openDatabaseClock } = await import('../../storage/databaseClock.js');
  const { diagnoseDatabaseError } = await import('../../storage/databaseErrors.js');
  const { pendingMigrations } = await import('../../storage/migrator.js');
  const { makeStorage } = await import('../../storage/storage.js');
  let database: Database | undefined;
  try {
    database = openDatabase(config.databaseUrl, { timeoutMs: config.databaseTimeoutMs });
    const pending = await pendingMigrations(database);
    if (pending.length > 0) {
      const says = `${counted(pending.length, 'migration')} pending`;
      return [{ check, ok: false, says, advice: formatCommandLine('migrate') }];
    }
    return [
      { check, ok: true, says: `${database.dialect}, up to date` },
      ...(await checkRecords(config, makeStorage(database), await openDatabaseClock(database, nodeSystem))),
    ];
  } catch (error) {
    const { says, advice } = diagnoseDatabaseError(error, config) ?? {
      says: publicText(error),
      advice: error instanceof DatabaseError ? 'start the newer program' : 'check DATABASE_URL',
    };
    return [{ check, ok: false, says, advice }];
  } finally {
    await database?.close();
  }
};

/** The files that hold data or the key. */
const listDataFiles = async ({ dataDir, databaseUrl }: Config): Promise<string[]> => {
  const names = await readdir(dataDir).catch(() => []);
  const ours = names
    .filter((name) => /^(secret\.key|.*\.sqlite)/.test(name))
    .map((name) => join(dataDir, name));
  const [, database] = /^sqlite:(.+)/.exec(databaseUrl) ?? [];
  const beside = database === undefined ? [] : ['', '-wal', '-shm'].map((end) => resolve(database) + end);
  return [...new Set([...ours, ...beside])];
};

const checkPermissions = async (config: Config): Promise<CheckResult> => {
  const check = 'permissions';
  const open = (await listDataFiles(config)).filter(isOpenToOthers);
  return open.length === 0
    ? { check, ok: true, says: 'no other user of this machine can open the files' }
    : {
        check,
        ok: false,
        says: `every user of this machine can open ${open.join(', ')}`,
        advice: `chmod o= ${open.map(toQuotedWord).join(' ')}`,
      };
};

const checkService = async ({ host, port, tls }: Config): Promise<CheckResult> => {
  const check = 'service';
  const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${String(port)}/readyz`;
  try {
    // The certificate names the public host and may be self-signed; it is trusted because it is our own.
    const https = {
      certificateAuthority: [...rootCertificates, String(tls?.cert ?? '')],
      checkServerIdentity: () => undefined,
    };
    const { got } = await import('got');
    await got(url, { timeout: { request: 3000 }, retry: { limit: 0 }, ...(tls && { https }) });
    return { check, ok: true, says: `ready at ${url}` };
  } catch (error) {
    return {
      check,
      ok: false,
      says: `${url}: ${publicText(error)}`,
      advice: `start it: ${formatCommandLine('serve')}`,
    };
  }
};
