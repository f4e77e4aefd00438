import type { Command } from 'commander';
import { generateApiKey } from '../../access/apiKeys.js';
import { nodeSystem } from '../../lib/system.js';
import type { StoredApiKey } from '../../storage/apiKeys.js';
import { formatCommandLine } from '../commandLine.js';
import {
  CommandError,
  formatTime,
  formatTimestamp,
  parseLabel,
  parseWholeNumber,
  printList,
  type Io,
} from '../io.js';
import { withStorage } from '../openStorage.js';
import { demoName } from '../serve/demo.js';

interface CreateKeyOptions {
  name: string;
  scope: string;
  rateLimit: string;
  expires?: string;
  json?: boolean;
}

/** Adds the commands that create, list and revoke API keys. */
export const addKeyCommands = (key: Command, io: Io): void => {
  key
    .command('create')
    .description('Create a key. It is printed once, alone, on standard output, and can not be shown again')
    .requiredOption('--name <name>', 'label of the key, part of notifications')
    .requiredOption('--scope <scope>', 'read (lists) or write (lists and creates)')
    .option('--rate-limit <number>', 'requests per minute, 0 to 1000000; 0 is no limit', '60')
    .option('--expires <time>', 'when the key ends, such as 2027-12-31 or 2027-12-31T18:00:00Z')
    .option('--json', 'print JSON')
    .action((options: CreateKeyOptions) => createKey(io, options));
  key
    .command('list')
    .description('List all keys, revoked and expired ones too')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listKeys(io, options.json));
  key
    .command('revoke')
    .description('Revoke a key; running services refuse it within a second')
    .argument('<prefix>', 'the 8 characters after uvt_, as `key list` shows them')
    .option('--json', 'print JSON')
    .action((prefix: string, options: { json?: boolean }) => revokeKey(io, prefix, options.json));
};

const createKey = async (io: Io, options: CreateKeyOptions): Promise<void> => {
  const name = parseLabel('--name', options.name);
  if (name === demoName)
    throw new CommandError(`--name: "${name}" is not allowed: keys of that name end with the demo`);
  const { scope } = options;
  if (scope !== 'read' && scope !== 'write') {
    throw new CommandError(`--scope: "${scope}" is not allowed: read or write`);
  }
  const rateLimit = parseWholeNumber('--rate-limit', options.rateLimit, 0, 1_000_000);
  const expiresAt = options.expires === undefined ? null : Date.parse(options.expires);
  if (expiresAt !== null && !(expiresAt > nodeSystem.now())) {
    throw new CommandError(
      `--expires: "${options.expires ?? ''}" is not allowed: a time in the future, such as 2027-12-31`,
    );
  }
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  await withStorage(io, ({ storage }) =>
    storage.apiKeys.add({ name, prefix, hash, scope, rateLimit, createdAt: nodeSystem.now(), expiresAt }),
  );
  io.out(
    options.json
      ? `${JSON.stringify({ key, prefix, name, scope, rateLimit, expiresAt: formatTimestamp(expiresAt) })}\n`
      : `${key}\n`,
  );
};

const stateOf = (
  { revokedAt, expiresAt }: Pick<StoredApiKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): string => (revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'expired' : 'valid');

const listKeys = (io: Io, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage, clock }) => {
    const keys = (await storage.apiKeys.all()).map(({ hash: _, ...key }) => ({
      ...key,
      createdAt: formatTimestamp(key.createdAt),
      lastUsedAt: formatTimestamp(key.lastUsedAt),
      revokedAt: formatTimestamp(key.revokedAt),
      expiresAt: formatTimestamp(key.expiresAt),
      state: stateOf(key, clock.now()),
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
  withStorage(io, async ({ storage }) => {
    const wanted = prefix.replace(/^uvt_/, '').slice(0, 8);
    const revoked = await storage.apiKeys.revoke(wanted, nodeSystem.now());
    if (revoked === 0)
      throw new CommandError(`no valid key has the prefix "${wanted}": see ${formatCommandLine('key list')}`);
    io.out(json ? `${JSON.stringify({ prefix: wanted, revoked })}\n` : `revoked ${wanted}\n`);
  });
