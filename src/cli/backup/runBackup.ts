import { resolve } from 'node:path';
import { formatMegabytes, makeBackup, type Backup } from '../../backup/backup.js';
import { findLeftOvers } from '../../backup/newFile.js';
import { readConfig, type Config } from '../../config/config.js';
import { findUnknownSettings, formatUnknownSetting } from '../../config/unknownSettings.js';
import { wordIn } from '../../i18n/messages.js';
import { sanitizeLine } from '../../lib/label.js';
import { toShellWord } from '../../lib/commandLine.js';
import { isOpenToOthers } from '../../lib/privateFiles.js';
import { nodeSystem } from '../../lib/system.js';
import { keyFilePath } from '../../secrets/secretKey.js';
import { CommandError, counted, formatTime, formatTimestamp, type Io } from '../io.js';
import { checkPlace, sqliteFile } from '../newDatabase.js';
import { readNewPassPhrase, type PassPhraseOptions } from '../passPhrase.js';
import { makeProgress } from '../progress.js';
import { abortOnSignal, type Signals } from '../../lib/signals.js';
import { formatPgDump } from './pgDump.js';

export interface BackupOptions extends PassPhraseOptions {
  readonly withKey?: boolean;
  readonly json?: boolean;
}

/** Makes a backup, and prints what it is and what to keep beside it. */
export const runBackup = async (
  io: Io,
  signals: Signals,
  file: string,
  options: BackupOptions,
): Promise<void> => {
  if (file === '-')
    throw new CommandError(
      'option-invalid',
      'name a file: a backup is verified before it is complete, so it can not be piped',
    );
  const config = readConfig(io.env);
  for (const unknown of findUnknownSettings(io.env)) io.err(`${formatUnknownSetting(unknown)}\n`);
  const source = sqliteFile(config);
  if (source === undefined)
    throw new CommandError(
      'not-applicable',
      'with PostgreSQL, pg_dump makes the backup, while services run; it asks for the password. Keep the secret key elsewhere: see docs/backup.md',
      [formatPgDump(config.databaseUrl, file)],
    );
  io.err(await checkPlace(io, config, 'refuse'));
  if (!options.withKey && (options.passPhraseFile ?? options.passPhraseEnv) !== undefined)
    throw new CommandError(
      'options-conflict',
      'a pass phrase is for --with-key: without the key there is nothing to seal',
    );
  const target = resolve(file);
  const passPhrase = options.withKey ? await readNewPassPhrase(io, options) : undefined;
  const leftOvers = findLeftOvers(target);
  const toInterrupted = (): Error => new CommandError('interrupted', 'interrupted: no backup was made');
  const made = await abortOnSignal(signals, toInterrupted, (signal) =>
    makeBackup({
      source,
      keys: config,
      target,
      passPhrase,
      cost: io.passwordCost?.ln,
      signal,
      system: nodeSystem,
      onProgress: makeProgress(io, 'backup', formatMegabytes),
    }),
  );
  const warnings = [...listWarnings(made), ...leftOvers.map(describeLeftOver)];
  if (options.json) io.out(`${JSON.stringify(toJson(made, config, warnings), null, 2)}\n`);
  else io.out(describeBackup(made, config));
  for (const warning of warnings) io.err(`warning: ${sanitizeLine(warning)}\n`);
};

const describeBackup = (made: Backup, config: Config): string => {
  const { file, bytes, rows, createdAt, sha256 } = made;
  return [
    `${file}: ${formatMegabytes(bytes)}, ${counted(rows['vouchers'] ?? 0, 'voucher')}, as of ${formatTime(createdAt)}, verified`,
    `sha256 ${sha256}`,
    describeKey(made, config),
    '',
  ].join('\n');
};

const describeKey = ({ hasKey, sealedValues }: Backup, config: Config): string => {
  const where = keyLocation(config);
  if (hasKey)
    return 'The secret key is in it, sealed with the pass phrase: keep the pass phrase in another place than the backup.';
  if (sealedValues === 0) return 'The secret key is not in it, and not needed: nothing is sealed with it.';
  const lost =
    sealedValues === undefined
      ? 'credentials, webhooks and second factors'
      : counted(sealedValues, 'stored secret');
  return `The secret key is not in it: keep a copy of ${where} in another place. Without it, ${lost} can not be opened.`;
};

const keyLocation = ({ secretKey, dataDir }: Config): string =>
  secretKey ? 'SECRET_KEY' : keyFilePath(dataDir);

const listWarnings = ({ file, unopenable }: Backup): string[] => [
  ...unopenable.map(
    ({ what }) => `${wordIn('en', 'sealed', what)} can not be opened with the secret key, today already`,
  ),
  ...(isOpenToOthers(file) ? [`every user of this machine can read ${file}`] : []),
];

const describeLeftOver = (file: string): string =>
  `an interrupted backup has left ${file}; if none is running: rm ${toShellWord(file)}`;

const toJson = (made: Backup, config: Config, warnings: readonly string[]): object => ({
  file: made.file,
  bytes: made.bytes,
  sha256: made.sha256,
  createdAt: formatTimestamp(made.createdAt),
  schema: made.schema,
  rows: made.rows,
  sealedValues: made.sealedValues ?? null,
  hasKey: made.hasKey,
  key: keyLocation(config),
  warnings,
});
