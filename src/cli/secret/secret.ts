import type { Command } from 'commander';
import { publicText } from '../../lib/publicText.js';
import { newId, nodeSystem } from '../../lib/system.js';
import { resealWithNewKey, rotateKeyFile, type RotationResult } from '../../secrets/rotation.js';
import {
  combineSecrets,
  keyFilePath,
  openStoredSecrets,
  parseSecretKey,
  secretKeyFormat,
} from '../../secrets/secretKey.js';
import { makeSecrets } from '../../secrets/encryption.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import { CommandError, counted, type Io } from '../io.js';
import { withTables, type OpenedTables } from '../openTables.js';
import { checkSecretKey } from '../sealing.js';
import { readRequiredSecret } from '../secretInput.js';

interface RotateSecretOptions {
  newKeyFile?: string;
  newKeyEnv?: string;
  json?: boolean;
}

/** Adds the command that rotates the key. */
export const addSecretCommands = (secret: Command, io: Io): void => {
  secret
    .command('rotate')
    .description('Encrypt everything with a new key. The next call finishes an interrupted rotation')
    .option(
      '--new-key-file <file>',
      'where SECRET_KEY is set: the file with the new key; - is standard input',
    )
    .option('--new-key-env <variable>', 'where SECRET_KEY is set: the variable with the new key')
    .option('--json', 'print JSON')
    .action((options: RotateSecretOptions) => rotateSecret(io, options));
};

const rotationLease = 'secret:rotate';
const rotationLeaseMs = 60_000;

const rotateSecret = (io: Io, options: RotateSecretOptions): Promise<void> =>
  withTables(io, async (opened) => {
    const { config, tables, clock } = opened;
    const { makeWithLease } = await import('../../database/leases.js');
    const withLease = makeWithLease(tables.leases, newId(nodeSystem), clock);
    const rotated = await withLease(rotationLease, { leaseMs: rotationLeaseMs }, async () => {
      const { resealed, finished } = config.secretKey
        ? await rotateConfiguredKey(io, opened, config.secretKey, options)
        : await rotateKeyInFile(opened, options);
      const next = config.secretKey
        ? 'the new key: set SECRET_KEY to it wherever voucherd runs, and start it again'
        : `a new key, which is in ${keyFilePath(config.dataDir)}`;
      if (options.json) io.out(`${JSON.stringify({ resealed, finished })}\n`);
      else
        io.out(
          `${finished ? 'finished an interrupted rotation: ' : ''}${counted(resealed, 'value is', 'values are')} sealed with ${next}\n`,
        );
      return true;
    });
    if (!rotated)
      throw new CommandError(
        'rotation-running',
        'another rotation runs, or was interrupted: try again in a minute',
      );
  });

const rotateConfiguredKey = async (
  io: Io,
  { tables }: OpenedTables,
  current: Buffer,
  options: RotateSecretOptions,
): Promise<RotationResult> => {
  const text = await readRequiredSecret(io, 'the new key', {
    option: 'new-key',
    file: options.newKeyFile,
    env: options.newKeyEnv,
  });
  const key = parseSecretKey(text);
  if (!key) throw new CommandError('option-invalid', `the new key is not allowed: ${secretKeyFormat}`);
  if (key.equals(current))
    throw new CommandError('option-invalid', 'the new key is the one that SECRET_KEY has already');
  const [old, next] = [makeSecrets(current, nodeSystem), makeSecrets(key, nodeSystem)];
  await checkSecretKey(tables, combineSecrets(next, old));
  try {
    return { resealed: await tables.sealed.reseal(resealWithNewKey(old, next)), finished: false };
  } catch (error) {
    throw new CommandError(
      'rotation-unfinished',
      `not finished: ${publicText(error)}; nothing is lost: keep both keys and run the same command again`,
    );
  }
};

const rotateKeyInFile = async (
  { config, tables }: OpenedTables,
  options: RotateSecretOptions,
): Promise<RotationResult> => {
  if (options.newKeyFile !== undefined || options.newKeyEnv !== undefined)
    throw new CommandError(
      'not-applicable',
      'a new key can be given only where SECRET_KEY is set: here the file gets one',
    );
  await checkSecretKey(tables, openStoredSecrets(config));
  try {
    return await rotateKeyFile(config.dataDir, nodeSystem, tables.sealed.reseal);
  } catch (error) {
    throw new CommandError(
      'rotation-unfinished',
      `not finished: ${publicText(error)}; nothing is lost: both keys are kept beside each other: run ${formatCommandLine('secret rotate')} again`,
    );
  }
};
