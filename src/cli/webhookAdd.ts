import { systemEffects } from '../effects.js';
import { formatNames, languages, type FormatName } from '../notifications/format.js';
import { isSecret, newSecret } from '../notifications/formats/generic.js';
import { AddressRefused, makeGuard } from '../notifications/guard.js';
import { maskAddress } from '../notifications/masking.js';
import { isFormatName, isLanguage, newWebhook, signs } from '../notifications/webhooks.js';
import { CommandError, label, type Io } from './io.js';
import { writeSealed } from './sealing.js';
import { readSecret, readSecretOption } from './secretInput.js';
import { withStorage } from './withStorage.js';

export interface AddOptions {
  name: string;
  format: string;
  language: string;
  urlFile?: string;
  urlEnv?: string;
  secretFile?: string;
  secretEnv?: string;
  json?: boolean;
}

export const addWebhook = (io: Io, options: AddOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage } = opened;
    const name = label('--name', options.name);
    const { format, language, json } = options;
    if (!isFormatName(format))
      throw new CommandError(`--format: "${format}" is not allowed: one of ${formatNames.join(', ')}`);
    if (!isLanguage(language))
      throw new CommandError(`--language: "${language}" is not allowed: one of ${languages.join(', ')}`);
    if ((await storage.webhooks.all()).some((known) => known.name === name))
      throw new CommandError(`--name: there is already a webhook named "${name}"`);
    if (options.urlFile === '-' && options.secretFile === '-')
      throw new CommandError('--url-file and --secret-file can not both be standard input');
    const given = await givenSecret(io, format, options);
    const address = checked(
      await readSecret(io, 'the address', { option: 'url', file: options.urlFile, env: options.urlEnv }),
      config.webhookAllowPrivate,
    );
    const made = given === undefined && signs(format) ? newSecret(systemEffects) : undefined;
    const order = { name, format, language, address, secret: given ?? made };
    const id = await writeSealed(opened, (secrets) =>
      storage.webhooks.add(newWebhook(order, secrets, systemEffects.now())),
    );
    const shown = { id, name, format, language, address: maskAddress(address) };
    if (json) io.out(`${JSON.stringify({ ...shown, ...(made !== undefined && { secret: made }) })}\n`);
    else io.out(`${made ?? name}\n`);
  });

const givenSecret = async (
  io: Io,
  format: FormatName,
  { secretFile, secretEnv }: AddOptions,
): Promise<string | undefined> => {
  const secret = await readSecretOption(io, { option: 'secret', file: secretFile, env: secretEnv });
  if (secret === undefined) return undefined;
  if (!signs(format)) throw new CommandError(`the format ${format} does not sign: it takes no secret`);
  if (!isSecret(secret))
    throw new CommandError(`the given secret is not allowed: whsec_ and base64 of 24 to 64 bytes`);
  return secret;
};

const checked = (address: string, allowPrivate: readonly string[]): string => {
  try {
    return makeGuard(allowPrivate).check(address).href;
  } catch (error) {
    if (error instanceof AddressRefused)
      throw new CommandError(`the address is not allowed: ${error.message}`);
    throw error;
  }
};
