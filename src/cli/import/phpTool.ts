import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../config/config.js';
import { makeOpenStored, parseAppKey } from '../../import/phpTool/appKey.js';
import { readDump } from '../../import/phpTool/dumpSource.js';
import { parseMysqlAddress, readMysql, type MysqlAddress } from '../../import/phpTool/mysqlSource.js';
import { parsePhpConfig, type PhpConfig } from '../../import/phpTool/phpConfig.js';
import { needsAppKey, planImport, type ImportPlan } from '../../import/phpTool/plan.js';
import { parseModel } from '../../import/phpTool/sourceModel.js';
import { noteGaps, type SourceRows } from '../../import/phpTool/sourceRows.js';
import { isTimeZone, makeSourceTimes } from '../../import/phpTool/times.js';
import { writeImport } from '../../import/phpTool/writeImport.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import { openControllerAdministration } from '../controller/administration.js';
import { readGivenFile } from '../givenFile.js';
import { CommandError, type Io } from '../io.js';
import { findMissingDatabase, whenGivenYes } from '../newDatabase.js';
import { commandLineActor, warnOfUnknownSettings, withTables, type OpenedTables } from '../openTables.js';
import { makeCommandRotationSafeWriter } from '../sealing.js';
import { readRequiredSecret, readSecretOption } from '../secretInput.js';
import { openWebhookAdministration } from '../webhook/administration.js';
import { fetchCertificates } from './certificates.js';
import { makeProgress } from '../progress.js';
import { printReport } from './report.js';

export interface PhpToolOptions {
  readonly from?: string;
  readonly passwordFile?: string;
  readonly passwordEnv?: string;
  readonly tls?: boolean;
  readonly tlsCaFile?: string;
  readonly dump?: string;
  readonly config?: string;
  readonly appKeyFile?: string;
  readonly appKeyEnv?: string;
  readonly phpTimeZone?: string;
  readonly serverTimeZone?: string;
  readonly mergeSites?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Reads everything, decides what becomes of it, and only then opens our own database. */
export const importPhpTool = async (io: Io, options: PhpToolOptions): Promise<void> => {
  const plan = await readPlan(io, options);
  const write = (opened: OpenedTables): Promise<void> => writePlan(io, plan, opened, options);
  if (options.dryRun) await withTrialTables(io, write);
  else await withTables(io, write, whenGivenYes(options.yes));
};

/**
 * Opens our database for a dry run. Where there is none yet, an empty one takes its place that is removed
 * afterwards.
 */
const withTrialTables = async (io: Io, use: (opened: OpenedTables) => Promise<void>): Promise<void> => {
  const missing = findMissingDatabase(readConfig(io.env));
  if (missing === undefined) return withTables(io, use);
  const folder = await mkdtemp(join(tmpdir(), 'voucherd-dry-run-'));
  try {
    warnOfUnknownSettings(io);
    io.err(`there is no database in ${missing} yet: compared with an empty one\n`);
    const env = { ...io.env, DATA_DIR: folder, DATABASE_URL: '', DATABASE_URL_FILE: '' };
    // What happens in that folder is of no interest.
    await withTables({ ...io, env, err: () => undefined }, use, 'create');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const readPlan = async (io: Io, options: PhpToolOptions): Promise<ImportPlan> => {
  const config = options.config === undefined ? {} : await readPhpConfig(io, options.config);
  const zones = {
    php: parseZone('--php-time-zone', options.phpTimeZone ?? config.timeZone ?? 'Europe/Berlin'),
    server: parseZone('--server-time-zone', options.serverTimeZone ?? 'UTC'),
  };
  const rows = await readSource(io, options, config);
  const model = parseModel(rows, makeSourceTimes(rows, zones));
  const open = await makeOpenStored(await readAppKey(io, options, config, needsAppKey(model)));
  const plan = planImport(model, { open, mergeSites: options.mergeSites === true });
  return { ...plan, notes: [...noteGaps(rows), ...plan.notes] };
};

const parseZone = (option: string, zone: string): string => {
  if (isTimeZone(zone)) return zone;
  throw new CommandError(
    'option-invalid',
    `${option}: "${zone.slice(0, 40)}" is not allowed: a name such as Europe/Berlin, or an offset such as +02:00`,
  );
};

const readSource = async (io: Io, options: PhpToolOptions, config: PhpConfig): Promise<SourceRows> => {
  const { from, dump } = options;
  if (from !== undefined && dump !== undefined)
    throw new CommandError('options-conflict', '--from and --dump exclude each other');
  const onRows = makeProgress(io, 'rows read');
  if (dump !== undefined) return readDump(dump, onRows);
  if (options.serverTimeZone !== undefined)
    throw new CommandError('options-conflict', '--server-time-zone is for --dump: a database tells its own');
  const address = from === undefined ? addressIn(config) : parseMysqlAddress(from);
  if (!address)
    throw new CommandError(
      'option-missing',
      'give --from mysql://USER@HOST/DATABASE, --dump FILE, or --config config.php',
    );
  const given = {
    option: 'password',
    file: options.passwordFile,
    env: options.passwordEnv,
    mayBeEmpty: true,
    isPassword: true,
  };
  const password =
    (await readSecretOption(io, given)) ??
    // The same account is often reached at another address: the tool's container calls its database `db`.
    (address.user === config.user ? config.password : undefined) ??
    (await readRequiredSecret(io, 'the password of the database', given));
  return readMysql({ ...address, ...(await readTls(options)) }, password, onRows);
};

const readTls = async ({ tls, tlsCaFile }: PhpToolOptions): Promise<Pick<MysqlAddress, 'tls'>> => {
  if (tlsCaFile === undefined) return tls ? { tls: {} } : {};
  return { tls: { ca: await readGivenFile('--tls-ca-file', tlsCaFile) } };
};

/** The address in `config.php`, whose host may have a port. */
const addressIn = ({ host, database, user }: PhpConfig): MysqlAddress | undefined => {
  if (host === undefined || database === undefined || user === undefined) return undefined;
  const [, name = host, port = '3306'] = /^([^:]+):(\d{1,5})$/.exec(host) ?? [];
  return { host: name, port: Number(port), user, database };
};

const readPhpConfig = async (io: Io, file: string): Promise<PhpConfig> =>
  parsePhpConfig((await readGivenFile('--config', file)).slice(0, 65_536), io.env);

const readAppKey = async (
  io: Io,
  { appKeyFile: file, appKeyEnv: env }: PhpToolOptions,
  config: PhpConfig,
  isNeeded: boolean,
): Promise<Buffer | undefined> => {
  const given = { option: 'app-key', file, env };
  const text =
    (await readSecretOption(io, given)) ??
    config.appKey ??
    (isNeeded ? await readRequiredSecret(io, "the tool's APP_KEY", given) : undefined);
  return text === undefined ? undefined : parseAppKey(text);
};

const writePlan = async (
  io: Io,
  plan: ImportPlan,
  opened: OpenedTables,
  options: PhpToolOptions,
): Promise<void> => {
  const { makeProfiles } = await import('../../profiles/profiles.js');
  const { webhooks, close } = await openWebhookAdministration(opened);
  const dryRun = options.dryRun === true;
  const progress = new Map<string, (done: number, all?: number) => void>();
  try {
    const result = await writeImport(plan, {
      database: opened.database,
      tables: opened.tables,
      controllers: openControllerAdministration(opened),
      profiles: makeProfiles(opened.tables.profiles, opened.clock),
      webhooks,
      rotationSafeWriter: makeCommandRotationSafeWriter(opened),
      secrets: () => openStoredSecrets(opened.config),
      clock: opened.clock,
      actor: commandLineActor,
      dryRun,
      onProgress: (what, done, all) => {
        const show = progress.get(what) ?? makeProgress(io, what);
        progress.set(what, show);
        show(done, all);
      },
    });
    const certificates = dryRun ? [] : await fetchCertificates(plan, opened);
    printReport(io, { ...result, certificates, dryRun }, options.json);
  } finally {
    await close();
  }
};
