import type { Command } from 'commander';
import { newId, systemEffects } from '../effects.js';
import { keyAllowed, parseSecretKey } from '../keyFile.js';
import { publicText } from '../problem.js';
import { keyFileOf, openingAny } from '../secretKey.js';
import { rotateKeyFile, toNew, type Rotated } from '../secretRotation.js';
import { makeSecrets } from '../secrets.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { commandLine } from './commandLine.js';
import { CommandError, counted, type Io } from './io.js';
import { checkKey } from './sealing.js';
import { readSecret } from './secretInput.js';
import { withStorage, type Opened } from './withStorage.js';

interface RotateOptions {
  newKeyFile?: string;
  newKeyEnv?: string;
  json?: boolean;
}

export const addSecretCommands = (program: Command, io: Io): void => {
  const secret = program.command('secret').description('the key that seals what is secret in the database');
  secret
    .command('rotate')
    .description('Seal everything with a new key. One that was interrupted is finished by the next call')
    .option(
      '--new-key-file <file>',
      'where SECRET_KEY is set: the file with the new key; - is standard input',
    )
    .option('--new-key-env <variable>', 'where SECRET_KEY is set: the variable with the new key')
    .option('--json', 'print JSON')
    .action((options: RotateOptions) => rotateSecret(io, options));
};

const lease = 'secret:rotate';
const leaseMs = 60_000;

const rotateSecret = (io: Io, options: RotateOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { leases } = opened.storage;
    const owner = newId(systemEffects);
    if (!(await leases.take(lease, owner, leaseMs)))
      throw new CommandError('another rotation runs, or was interrupted: try again in a minute');
    try {
      const { config } = opened;
      const { resealed, finished } = config.secretKey
        ? await rotateSetting(io, opened, config.secretKey, options)
        : await rotateFile(opened, options);
      const next = config.secretKey
        ? 'the new key: set SECRET_KEY to it wherever voucherd runs, and start it again'
        : `a new key, which is in ${keyFileOf(config.dataDir)}`;
      if (options.json) io.out(`${JSON.stringify({ resealed, finished })}\n`);
      else
        io.out(
          `${finished ? 'finished an interrupted rotation: ' : ''}${counted(resealed, 'value is', 'values are')} sealed with ${next}\n`,
        );
    } finally {
      await leases.release([lease], owner);
    }
  });

const rotateSetting = async (
  io: Io,
  { storage }: Opened,
  current: Buffer,
  options: RotateOptions,
): Promise<Rotated> => {
  const text = await readSecret(io, 'the new key', {
    option: 'new-key',
    file: options.newKeyFile,
    env: options.newKeyEnv,
  });
  const key = parseSecretKey(text);
  if (!key) throw new CommandError(`the new key is not allowed: ${keyAllowed}`);
  if (key.equals(current)) throw new CommandError('the new key is the one that SECRET_KEY has already');
  const [old, next] = [makeSecrets(current, systemEffects), makeSecrets(key, systemEffects)];
  await checkKey(storage, openingAny(next, old));
  try {
    return { resealed: await storage.sealed.reseal(toNew(old, next)), finished: false };
  } catch (error) {
    throw new CommandError(
      `not finished: ${publicText(error)}; nothing is lost: keep both keys and run the same command again`,
    );
  }
};

const rotateFile = async ({ config, storage }: Opened, options: RotateOptions): Promise<Rotated> => {
  if (options.newKeyFile !== undefined || options.newKeyEnv !== undefined)
    throw new CommandError('a new key can be given only where SECRET_KEY is set: here the file gets one');
  await checkKey(storage, openStoredSecrets(config));
  try {
    return await rotateKeyFile(config.dataDir, systemEffects, storage.sealed.reseal);
  } catch (error) {
    throw new CommandError(
      `not finished: ${publicText(error)}; nothing is lost: both keys are kept beside each other: run ${commandLine('secret rotate')} again`,
    );
  }
};
