import type { Command } from 'commander';
import { nodeSystem } from '../../lib/system.js';
import {
  formatNames,
  isFormatName,
  isLanguage,
  languages,
  type FormatName,
} from '../../notifications/formats/format.js';
import { generateSigningSecret, isValidSigningSecret } from '../../notifications/formats/generic.js';
import { AddressRefused, makeSsrfGuard } from '../../notifications/ssrfGuard.js';
import {
  addSigningSecret,
  isSigningFormat,
  maskWebhookAddress,
  openWebhook,
  sealSigningSecrets,
  sealWebhook,
} from '../../notifications/webhooks.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import { makeSecrets, SecretError, webhookBinding, type Secrets } from '../../secrets/secrets.js';
import type { DeliveryState } from '../../storage/deliveries.js';
import type { StoredWebhook } from '../../storage/webhooks.js';
import { formatCommandLine } from '../commandLine.js';
import {
  CommandError,
  formatTimestamp,
  parseLabel,
  parseWholeNumber,
  printList,
  sanitizeLine,
  type Io,
} from '../io.js';
import { findWebhook } from '../lookup.js';
import { withStorage } from '../openStorage.js';
import { writeSealed } from '../sealing.js';
import { readRequiredSecret, readSecretOption } from '../secretInput.js';
import { listDeliveries, resendDelivery, testWebhook, type DeliveriesOptions } from './deliveries.js';

interface JsonOption {
  json?: boolean;
}

/** Adds the commands that manage webhooks and their deliveries. */
export const addWebhookCommands = (webhook: Command, io: Io): void => {
  const command = (name: string, description: string): Command =>
    webhook.command(name).description(description).option('--json', 'print JSON');
  const named = (name: string, description: string): Command =>
    command(name, description).argument('<name>', 'name of the webhook, as `webhook list` shows it');

  command('add', 'Add a webhook. The secret that signs is printed once, alone, when one was made for it')
    .requiredOption('--name <name>', 'a name for it')
    .requiredOption('--format <format>', `one of: ${formatNames.join(', ')}`)
    .option('--language <language>', `of the texts, one of: ${languages.join(', ')}`, 'de')
    .option('--url-file <file>', 'the file with its address; - is standard input')
    .option('--url-env <variable>', 'the variable with its address; without both it is asked for')
    .option('--secret-file <file>', 'generic: the file with the secret that signs; - is standard input')
    .option('--secret-env <variable>', 'generic: the variable with it; without both one is made')
    .action((options: AddWebhookOptions) => addWebhook(io, options));
  command('list', 'List all webhooks, with their addresses masked').action((options: JsonOption) =>
    listWebhooks(io, options.json),
  );
  named('enable', 'Send to a webhook again').action((name: string, options: JsonOption) =>
    setWebhookActive(io, name, true, options.json),
  );
  named('disable', 'Send nothing more to a webhook; what waits for it goes on waiting').action(
    (name: string, options: JsonOption) => setWebhookActive(io, name, false, options.json),
  );
  named('remove', 'Remove a webhook and its deliveries').action((name: string, options: JsonOption) =>
    removeWebhook(io, name, options.json),
  );
  named('rotate-secret', 'Sign with a new secret, which is printed once, alone')
    .option('--overlap-hours <number>', 'how long the old secret signs too, 0 to 8760', '24')
    .action((name: string, options: RotateSigningSecretOptions) => rotateSigningSecret(io, name, options));
  named('test', 'Send a marked test message at once, and say what came back').action(
    (name: string, options: JsonOption) => testWebhook(io, name, options.json),
  );
  command('deliveries', 'List deliveries, the newest first')
    .argument('[name]', 'only those to this webhook')
    .option('--state <state>', 'only those that are: waiting, delivered or failed')
    .option('--limit <number>', 'how many, 1 to 1000', '50')
    .action((name: string | undefined, options: DeliveriesOptions) => listDeliveries(io, name, options));
  command('resend', 'Send a delivery again, from the first try on')
    .argument('<id>', 'id of the delivery, as `webhook deliveries` shows it')
    .action((id: string, options: JsonOption) => resendDelivery(io, id, options.json));
};

interface AddWebhookOptions {
  name: string;
  format: string;
  language: string;
  urlFile?: string;
  urlEnv?: string;
  secretFile?: string;
  secretEnv?: string;
  json?: boolean;
}

const addWebhook = (io: Io, options: AddWebhookOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage } = opened;
    const name = parseLabel('--name', options.name);
    const { format, language, json } = options;
    if (!isFormatName(format))
      throw new CommandError(`--format: "${format}" is not allowed: one of ${formatNames.join(', ')}`);
    if (!isLanguage(language))
      throw new CommandError(`--language: "${language}" is not allowed: one of ${languages.join(', ')}`);
    if ((await storage.webhooks.all()).some((known) => known.name === name))
      throw new CommandError(`--name: there is already a webhook named "${name}"`);
    if (options.urlFile === '-' && options.secretFile === '-')
      throw new CommandError('--url-file and --secret-file can not both be standard input');
    const given = await readSigningSecret(io, format, options);
    const address = checkWebhookAddress(
      await readRequiredSecret(io, 'the address', {
        option: 'url',
        file: options.urlFile,
        env: options.urlEnv,
      }),
      config.webhookAllowPrivate,
    );
    const made =
      given === undefined && isSigningFormat(format) ? generateSigningSecret(nodeSystem) : undefined;
    const order = { name, format, language, address, secret: given ?? made };
    const id = await writeSealed(opened, (secrets) =>
      storage.webhooks.add(sealWebhook(order, secrets, nodeSystem.now())),
    );
    const shown = { id, name, format, language, address: maskWebhookAddress(address) };
    if (json) io.out(`${JSON.stringify({ ...shown, ...(made !== undefined && { secret: made }) })}\n`);
    else io.out(`${made ?? name}\n`);
  });

const readSigningSecret = async (
  io: Io,
  format: FormatName,
  { secretFile, secretEnv }: AddWebhookOptions,
): Promise<string | undefined> => {
  const secret = await readSecretOption(io, { option: 'secret', file: secretFile, env: secretEnv });
  if (secret === undefined) return undefined;
  if (!isSigningFormat(format))
    throw new CommandError(`the format ${format} does not sign: it takes no secret`);
  if (!isValidSigningSecret(secret))
    throw new CommandError(`the given secret is not allowed: whsec_ and base64 of 24 to 64 bytes`);
  return secret;
};

const checkWebhookAddress = (address: string, allowPrivate: readonly string[]): string => {
  try {
    return makeSsrfGuard(allowPrivate).check(address).href;
  } catch (error) {
    if (error instanceof AddressRefused)
      throw new CommandError(`the address is not allowed: ${error.message}`);
    throw error;
  }
};

const listWebhooks = (io: Io, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ config, storage }) => {
    const stored = await storage.webhooks.all();
    const counts = await storage.webhooks.counts();
    const count = (id: number, state: DeliveryState): number =>
      counts.find((entry) => entry.webhookId === id && entry.state === state)?.count ?? 0;
    // An empty list must not create the key file.
    const secrets = stored.length > 0 ? openStoredSecrets(config) : makeSecrets(Buffer.alloc(32), nodeSystem);
    const webhooks = stored.map((webhook) => ({
      id: webhook.id,
      name: webhook.name,
      format: webhook.format,
      language: webhook.language,
      address: openMaskedAddress(webhook, secrets),
      active: webhook.active,
      reason: webhook.reason,
      createdAt: formatTimestamp(webhook.createdAt),
      waiting: count(webhook.id, 'waiting'),
      failed: count(webhook.id, 'failed'),
    }));
    printList(
      io,
      json,
      webhooks,
      ({ name, format, language, address, waiting, failed, active, reason }) => ({
        name,
        format,
        language,
        address,
        waiting: String(waiting),
        failed: String(failed),
        state: active ? 'active' : `switched off${reason === null ? '' : `: ${sanitizeLine(reason)}`}`,
      }),
      `no webhooks yet: ${formatCommandLine('webhook add --name N --format F')}`,
    );
  });

/** The list shows webhooks even without the right key, so that they can be removed. */
const openMaskedAddress = ({ id, sealedAddress }: StoredWebhook, secrets: Secrets): string => {
  try {
    return maskWebhookAddress(secrets.open(sealedAddress, webhookBinding(id, 'address')));
  } catch (error) {
    if (error instanceof SecretError) return '(sealed with another key)';
    throw error;
  }
};

const setWebhookActive = (io: Io, given: string, active: boolean, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const { id, name } = await findWebhook(storage, given);
    await storage.webhooks.setActive(id, active, null);
    io.out(
      json
        ? `${JSON.stringify({ id, name, active })}\n`
        : `${sanitizeLine(name)} is ${active ? 'active' : 'switched off'}\n`,
    );
  });

const removeWebhook = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const { id, name } = await findWebhook(storage, given);
    await storage.webhooks.remove(id);
    io.out(json ? `${JSON.stringify({ id, name, removed: true })}\n` : `removed ${sanitizeLine(name)}\n`);
  });

interface RotateSigningSecretOptions {
  overlapHours: string;
  json?: boolean;
}

const hourMs = 3_600_000;

const rotateSigningSecret = (io: Io, given: string, options: RotateSigningSecretOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage, clock } = opened;
    const overlapMs = parseWholeNumber('--overlap-hours', options.overlapHours, 0, 8760) * hourMs;
    const webhook = openWebhook(await findWebhook(storage, given), openStoredSecrets(config));
    const { id, name, format } = webhook;
    if (!isSigningFormat(format))
      throw new CommandError(`${name} has the format ${format}, which does not sign`);
    const secret = generateSigningSecret(nodeSystem);
    const now = clock.now();
    const { secrets: signing } = addSigningSecret(webhook, secret, now, overlapMs);
    await writeSealed(opened, (secrets) =>
      storage.webhooks.setSecrets(id, sealSigningSecrets(id, signing, secrets)),
    );
    const oldUntil = formatTimestamp(now + overlapMs);
    io.out(options.json ? `${JSON.stringify({ id, name, secret, oldUntil })}\n` : `${secret}\n`);
  });
