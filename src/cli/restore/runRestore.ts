import { dirname, resolve } from 'node:path';
import { BackupError } from '../../backup/backupError.js';
import { recogniseBackup } from '../../backup/backupFile.js';
import type { BackupInfo } from '../../backup/backupInfoTable.js';
import { fingerprintOfKey, openSealedKey } from '../../backup/keyInBackup.js';
import { findLeftOvers } from '../../backup/newFile.js';
import { restoreBackup, type Restored, type RestoredKey } from '../../backup/restore.js';
import { makeDataDir, readConfig, type Config } from '../../config/config.js';
import { explainDatabaseError } from '../../database/databaseErrors.js';
import { wordIn } from '../../i18n/messages.js';
import { formatCommandLine, formatProgramCall, toShellWord, withHintsFor } from '../../lib/commandLine.js';
import { sanitizeLine } from '../../lib/label.js';
import { makePrivateFolder, wouldBelongToRoot } from '../../lib/privateFiles.js';
import { nodeSystem } from '../../lib/system.js';
import { WrongPassPhrase } from '../../secrets/passPhrase.js';
import { keyFilePath, parseSecretKey, readKeyFile, secretKeyFormat } from '../../secrets/secretKey.js';
import { formatPgRestore } from '../backup/pgDump.js';
import { CommandError, counted, formatTime, formatTimestamp, type Io } from '../io.js';
import { rootHint, sqliteFile } from '../newDatabase.js';
import { readPassPhrase, type PassPhraseOptions } from '../passPhrase.js';
import { readSecretOption } from '../secretInput.js';
import { abortOnSignal, type Signals } from '../../lib/signals.js';

export interface RestoreOptions extends PassPhraseOptions {
  readonly dataDir?: string;
  readonly keyFile?: string;
  readonly withoutKey?: boolean;
  readonly sha256?: string;
  readonly json?: boolean;
}

/** Restores a backup, and prints what has to be done next. */
export const runRestore = async (
  io: Io,
  signals: Signals,
  file: string,
  options: RestoreOptions,
): Promise<void> => {
  const config = readConfig(placeOf(io.env, options.dataDir));
  const sha256 = parseChecksum(options.sha256);
  const target = sqliteFile(config);
  if (target === undefined) throw refuseForPostgres(config, file);
  const leftOvers = findLeftOvers(target);
  const toInterrupted = (): Error => new CommandError('interrupted', 'interrupted: nothing was restored');
  const restored = await abortOnSignal(signals, toInterrupted, (signal) =>
    restoreBackup({
      backup: resolve(file),
      sha256,
      target,
      dataDir: config.dataDir,
      makeFolders: () => {
        makeDataDir(config);
        makePrivateFolder(dirname(target));
      },
      chooseKey: (info, aborted) => chooseKey(io, config, { ...options, signal: aborted }, info),
      listener: {
        onBegin: (name) => io.err(`migrating the database: ${name} …\n`),
        onBlocked: () => undefined,
      },
      signal,
      system: nodeSystem,
    }).catch((error: unknown) => {
      throw explainDatabaseError(error, config);
    }),
  );
  const print = (): void => {
    if (options.json) io.out(`${JSON.stringify(toJson(restored), null, 2)}\n`);
    else io.out(describeRestored(restored));
    for (const { what, remedy } of restored.unopenable)
      io.err(
        `warning: ${sanitizeLine(wordIn('en', 'sealed', what))} can not be opened: put back the key that it was sealed with, or ${sanitizeLine(wordIn('en', 'sealedRemedy', remedy))}\n`,
      );
  };
  if (options.dataDir === undefined) print();
  else withHintsFor(dirname(target), print);
  for (const leftOver of leftOvers)
    io.err(`warning: an interrupted restore has left ${leftOver}; rm ${toShellWord(leftOver)}\n`);
  if (wouldBelongToRoot(dirname(target))) io.err(rootHint(dirname(target)));
};

interface ChooseKeyOptions extends RestoreOptions {
  readonly signal: AbortSignal;
}

/** A folder that is named is where the database is made, whatever the settings say. */
const placeOf = (env: Io['env'], dataDir: string | undefined): Io['env'] =>
  dataDir === undefined
    ? env
    : { ...env, DATA_DIR: dataDir, DATABASE_URL: undefined, DATABASE_URL_FILE: undefined };

const parseChecksum = (given: string | undefined): string | undefined => {
  if (given === undefined || /^[0-9a-f]{64}$/i.test(given)) return given?.toLowerCase();
  throw new CommandError(
    'option-invalid',
    `--sha256: "${given.slice(0, 80)}" is not allowed: 64 hexadecimal characters, as \`backup\` and sha256sum print them`,
  );
};

/** Says what restores a file when the service uses PostgreSQL. */
const refuseForPostgres = ({ databaseUrl }: Config, file: string): Error => {
  const backup = resolve(file);
  switch (recogniseBackup(backup)) {
    case 'pg-dump':
      return new CommandError(
        'not-applicable',
        'with PostgreSQL, pg_restore restores the backup, into an empty database: see docs/backup.md',
        [formatPgRestore(databaseUrl, file)],
      );
    case 'sqlite':
      return new CommandError(
        'not-applicable',
        `${backup} is a backup of SQLite, and DATABASE_URL names a PostgreSQL: restore it into a new folder, and copy that into the empty PostgreSQL`,
        [
          formatProgramCall(`restore ${toShellWord(file)} --data-dir FOLDER`),
          formatProgramCall('database copy --from FOLDER'),
        ],
      );
    case 'other':
      return new BackupError(
        'backup-invalid',
        `${backup} is a backup neither of SQLite nor of pg_dump --format=custom: see docs/backup.md`,
      );
  }
};

/** The key that is given, that is in the backup, or that is there already. A different one is refused. */
const chooseKey = async (
  io: Io,
  config: Config,
  options: ChooseKeyOptions,
  info: BackupInfo | undefined,
): Promise<RestoredKey> => {
  const present = config.secretKey ?? readKeyFile(keyFilePath(config.dataDir));
  const place = config.secretKey ? 'SECRET_KEY' : keyFilePath(config.dataDir);
  const given = await readGivenKey(io, options, info);
  const key = given ?? present;
  if (key && info && info.keyFingerprint !== null && info.keyFingerprint !== fingerprintOfKey(key))
    throw new CommandError(
      'secret-key-wrong',
      given
        ? 'what --key-file names is not the key of this backup'
        : `the key in ${place} is not the one of this backup: move it away, and give the right one by --key-file`,
    );
  if (given && present && !given.equals(present))
    throw new CommandError('secret-key-wrong', `there is another key in ${place}: move it away first`);
  return { key, isStored: given !== undefined && present === undefined };
};

const readGivenKey = async (
  io: Io,
  options: ChooseKeyOptions,
  info: BackupInfo | undefined,
): Promise<Buffer | undefined> => {
  const { signal } = options;
  const text = await readSecretOption(io, { option: 'key', file: options.keyFile, env: undefined, signal });
  if (text !== undefined) {
    const key = parseSecretKey(text);
    if (!key)
      throw new CommandError('option-invalid', `what --key-file names is not a key: ${secretKeyFormat}`);
    return key;
  }
  if (!info?.key || options.withoutKey) return undefined;
  try {
    return await openSealedKey(info.key, await readPassPhrase(io, options, signal), nodeSystem);
  } catch (error) {
    throw error instanceof WrongPassPhrase
      ? new CommandError(error.code, `${error.message}; without the key: --without-key, or --key-file`)
      : error;
  }
};

const describeRestored = ({
  file,
  sha256,
  info,
  rows,
  migrated,
  keyFile,
  sealedValues,
  unopenable,
}: Restored): string => {
  const origin = info
    ? `as of ${formatTime(info.createdAt)}, from version ${info.version}`
    : 'from a copy that was not made by `backup`';
  return [
    `restored ${file}: ${counted(rows['vouchers'] ?? 0, 'voucher')}, ${origin}`,
    `sha256 ${sha256} (of the backup)`,
    ...(migrated.length > 0 ? [`migrated: ${migrated.join(', ')}`] : []),
    ...(keyFile === undefined ? [] : [`the secret key is in ${keyFile}`]),
    ...(sealedValues > 0 && unopenable.length === 0
      ? [`the key opens all of the ${counted(sealedValues, 'stored secret')}`]
      : []),
    `next: start the service, then ${formatCommandLine('doctor')}`,
    '',
  ].join('\n');
};

const toJson = ({
  file,
  sha256,
  info,
  rows,
  migrated,
  keyFile,
  sealedValues,
  unopenable,
}: Restored): object => ({
  file,
  sha256,
  createdAt: formatTimestamp(info?.createdAt ?? null),
  version: info?.version ?? null,
  rows,
  migrated,
  keyFile: keyFile ?? null,
  sealedValues,
  unopenable: unopenable.map(({ what, remedy }) => ({
    what: wordIn('en', 'sealed', what),
    remedy: wordIn('en', 'sealedRemedy', remedy),
  })),
});
