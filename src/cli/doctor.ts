import { constants } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { Command } from 'commander';
import { readConfig, type Config } from '../config.js';
import { systemEffects } from '../effects.js';
import { publicText } from '../problem.js';
import { DatabaseError, openDatabase, type Database } from '../storage/database.js';
import { pendingMigrations } from '../storage/migrate.js';
import { makeStorage, type Storage } from '../storage/storage.js';
import { CommandError, type Io } from './io.js';
import { withControllers } from './liveControllers.js';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const addDoctorCommand = (program: Command, io: Io): void => {
  program
    .command('doctor')
    .description(
      'Check configuration, disk, clock, database, controllers, webhooks and the service, and say what to do',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const findings = await examine(io);
      if (options.json) io.out(`${JSON.stringify(findings, null, 2)}\n`);
      else for (const finding of findings) io.out(line(finding));
      const failed = findings.filter(({ ok }) => !ok).length;
      if (failed > 0) throw new CommandError(`${String(failed)} of ${String(findings.length)} checks failed`);
    });
};

const line = ({ ok, check, says, advice }: Finding): string =>
  `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(14)}  ${says}\n${advice === undefined ? '' : `      ${''.padEnd(14)}  → ${advice}\n`}`;

const examine = async (io: Io): Promise<Finding[]> => {
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
    await disk(config),
    clock(),
    ...(await database(config)),
    await running(config),
  ];
};

const disk = async ({ dataDir }: Config): Promise<Finding> => {
  const check = 'disk';
  try {
    await mkdir(dataDir, { recursive: true });
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

/** The date goes into every voucher's name, so its zone is worth a look. */
const clock = (): Finding => {
  const now = new Date(systemEffects.now());
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const ok = now.getFullYear() >= 2026 && now.getFullYear() < 2100;
  const says = `${now.toISOString().slice(0, 19)}Z, zone ${zone}`;
  return ok
    ? { check: 'clock', ok, says }
    : { check: 'clock', ok, says, advice: 'set the clock of this machine' };
};

const database = async (config: Config): Promise<Finding[]> => {
  const check = 'database';
  let db: Database | undefined;
  try {
    db = openDatabase(config.databaseUrl);
    const pending = await pendingMigrations(db);
    if (pending.length > 0) {
      const says = `${String(pending.length)} migrations pending`;
      return [{ check, ok: false, says, advice: 'voucherd migrate' }];
    }
    return [
      { check, ok: true, says: `${db.dialect}, up to date` },
      ...(await records(config, makeStorage(db))),
    ];
  } catch (error) {
    const advice =
      error instanceof DatabaseError
        ? 'start the newer program'
        : 'check DATABASE_URL and that the server runs';
    return [{ check, ok: false, says: publicText(error), advice }];
  } finally {
    await db?.close();
  }
};

const records = async (config: Config, storage: Storage): Promise<Finding[]> => {
  const keys = await storage.apiKeys.usable();
  const sites = (await storage.sites.all()).filter(({ active }) => active);
  const now = systemEffects.now();
  const old = (await storage.intents.all()).filter(
    ({ createdAt }) =>
      now - createdAt > config.controllerDeadlineMs + config.reconcileGraceMs + config.reconcileIntervalMs,
  );
  return [
    keys.length > 0
      ? { check: 'keys', ok: true, says: `${String(keys.length)} not revoked` }
      : { check: 'keys', ok: false, says: 'none', advice: 'voucherd key create --name N --scope write' },
    sites.length > 0
      ? { check: 'sites', ok: true, says: `${String(sites.length)} active` }
      : {
          check: 'sites',
          ok: false,
          says: 'none active',
          advice: 'voucherd site add --name N --controller C',
        },
    old.length === 0
      ? { check: 'intents', ok: true, says: 'none left open' }
      : {
          check: 'intents',
          ok: false,
          says: `${String(old.length)} left open`,
          advice:
            'the service settles them when their controller can be reached again: see the controllers below',
        },
    ...(await controllers(config, storage)),
    await webhooks(storage),
  ];
};

const controllers = (config: Config, storage: Storage): Promise<Finding[]> =>
  withControllers(config, async (registry) =>
    Promise.all(
      (await storage.controllers.all()).map(async (stored): Promise<Finding> => {
        const check = `controller ${stored.name}`;
        try {
          const { version } = await registry.get(stored).probe();
          return { check, ok: true, says: `answers, version ${version}` };
        } catch (error) {
          return {
            check,
            ok: false,
            says: publicText(error),
            advice: `voucherd controller test "${stored.name}"`,
          };
        }
      }),
    ),
  );

const webhooks = async (storage: Storage): Promise<Finding> => {
  const check = 'webhooks';
  const off = (await storage.webhooks.all()).filter(({ reason }) => reason !== null);
  if (off[0]) {
    const says = `"${off[0].name}" was switched off: ${off[0].reason ?? ''}`;
    return { check, ok: false, says, advice: `voucherd webhook enable "${off[0].name}", or remove it` };
  }
  const held = await storage.deliveries.troubled();
  return held
    ? {
        check,
        ok: false,
        says: `deliveries wait: ${held.reason ?? ''}`,
        advice: 'voucherd webhook deliveries --state waiting',
      }
    : { check, ok: true, says: 'none in trouble' };
};

const running = async ({ host, port, tls }: Config): Promise<Finding> => {
  const check = 'service';
  const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${String(port)}/readyz`;
  try {
    // The certificate names the public host, and may be self-signed: it is trusted because it is our own.
    const https = {
      certificateAuthority: [...rootCertificates, String(tls?.cert ?? '')],
      checkServerIdentity: () => undefined,
    };
    const { got } = await import('got');
    await got(url, { timeout: { request: 3000 }, retry: { limit: 0 }, ...(tls && { https }) });
    return { check, ok: true, says: `ready at ${url}` };
  } catch (error) {
    return { check, ok: false, says: `${url}: ${publicText(error)}`, advice: 'start it: voucherd serve' };
  }
};
