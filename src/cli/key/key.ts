import type { Command } from 'commander';
import {
  checkKeyInput,
  makeKeyAdministration,
  maxRateLimit,
  type KeyInput,
  type KeyAdministration,
} from '../../apiKeys/keyAdministration.js';
import { Refusal } from '../../errors/problem.js';
import { nodeSystem } from '../../lib/system.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import {
  CommandError,
  formatTime,
  formatTimestamp,
  makeAddCommand,
  parseWholeNumber,
  printList,
  printResult,
  refusedOption,
  type Io,
  type JsonOption,
} from '../io.js';
import { notFound } from '../lookup.js';
import { createDatabaseOption, whenGivenYes, type WithoutDatabase } from '../newDatabase.js';
import { commandLineActor, withTables } from '../openTables.js';

interface CreateKeyOptions extends JsonOption {
  name: string;
  scope: string;
  rateLimit: string;
  expires?: string;
  yes?: boolean;
}

/** Adds the commands that create, list and revoke API keys. */
export const addKeyCommands = (key: Command, io: Io): void => {
  const command = makeAddCommand(key);
  command('create', 'Create a key. It is printed once, alone, on standard output, and can not be shown again')
    .requiredOption('--name <name>', 'label of the key, part of notifications')
    .requiredOption('--scope <scope>', 'read (lists) or write (lists and creates)')
    .option('--rate-limit <number>', 'requests per minute, 0 to 1000000; 0 is no limit', '60')
    .option('--expires <time>', 'when the key expires, such as 2027-12-31 or 2027-12-31T18:00:00Z')
    .option(...createDatabaseOption)
    .action((options: CreateKeyOptions) => createKey(io, options));
  command('list', 'List all keys, revoked and expired ones too').action((options: JsonOption) =>
    listKeys(io, options.json),
  );
  command('revoke', 'Revoke a key; running services refuse it within a second')
    .argument('<prefix>', 'the 8 characters after uvt_, as `key list` shows them')
    .action((prefix: string, options: JsonOption) => revokeKey(io, prefix, options.json));
};

const withKeys = <T>(
  io: Io,
  use: (keys: KeyAdministration) => Promise<T>,
  withoutDatabase?: WithoutDatabase,
): Promise<T> =>
  withTables(
    io,
    ({ tables, clock }) => use(makeKeyAdministration(tables.apiKeys, { ...nodeSystem, now: clock.now })),
    withoutDatabase,
  );

const parseKeyInput = (options: CreateKeyOptions): KeyInput => {
  const { name, scope, expires } = options;
  if (scope !== 'read' && scope !== 'write') {
    throw new CommandError('option-invalid', `--scope: "${scope}" is not allowed: read or write`);
  }
  const rateLimit = parseWholeNumber('--rate-limit', options.rateLimit, 0, maxRateLimit);
  const expiresAt = expires === undefined ? null : Date.parse(expires);
  try {
    return checkKeyInput({ name, scope, rateLimit, expiresAt }, nodeSystem.now());
  } catch (error) {
    const isExpiry = error instanceof Refusal && error.code === 'expiry-past';
    throw isExpiry ? refusedOption(error, '--expires', expires ?? '') : refusedOption(error, '--name', name);
  }
};

const createKey = async (io: Io, options: CreateKeyOptions): Promise<void> => {
  const input = parseKeyInput(options);
  const { key, secret } = await withKeys(
    io,
    ({ create }) => create(input, commandLineActor),
    whenGivenYes(options.yes),
  );
  const { prefix, name, scope, rateLimit, expiresAt } = key;
  printResult(
    io,
    options.json,
    { key: secret, prefix, name, scope, rateLimit, expiresAt: formatTimestamp(expiresAt) },
    secret,
  );
};

const listKeys = (io: Io, json: boolean | undefined): Promise<void> =>
  withKeys(io, async ({ list }) => {
    const keys = (await list()).map((key) => ({
      ...key,
      createdAt: formatTimestamp(key.createdAt),
      lastUsedAt: formatTimestamp(key.lastUsedAt),
      revokedAt: formatTimestamp(key.revokedAt),
      expiresAt: formatTimestamp(key.expiresAt),
    }));
    printList(
      io,
      json,
      keys,
      (key) => ({
        prefix: key.prefix,
        name: key.name,
        scope: key.scope,
        'per minute': key.rateLimit === 0 ? 'no limit' : String(key.rateLimit),
        created: formatTime(key.createdAt),
        'last used': formatTime(key.lastUsedAt),
        expires: formatTime(key.expiresAt),
        state: key.state,
      }),
      `no keys yet: ${formatCommandLine('key create --name N --scope write')}`,
    );
  });

const revokeKey = (io: Io, prefix: string, json: boolean | undefined): Promise<void> =>
  withKeys(io, async ({ revokeByPrefix }) => {
    const wanted = prefix.replace(/^uvt_/, '').slice(0, 8);
    const revoked = await revokeByPrefix(wanted, commandLineActor);
    if (revoked === 0) throw notFound('unknown-key', `no valid key has the prefix "${wanted}"`, 'key list');
    printResult(io, json, { prefix: wanted, revoked }, `revoked ${wanted}`);
  });
