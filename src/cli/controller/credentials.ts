import type { ControllerCredentials } from '../../controllers/controller.js';
import { requiredCredentials, toOptionName } from '../../controllers/kinds.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import { credentialsBinding, SecretError } from '../../secrets/encryption.js';
import type { StoredController } from '../../controllers/controllerTable.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { CommandError, parseLabel, type Io } from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findController } from '../lookup.js';
import { commandLineActor, withTables, type OpenedTables } from '../openTables.js';
import { findUnopenableSecrets } from '../sealing.js';
import { readRequiredSecret } from '../secretInput.js';
import { openControllerAdministration } from './administration.js';
import { getOption, isPublicCredential, refuseForeignOptions, type ParsedOptions } from './options.js';

/** Reads the credentials that a kind needs. Secrets come from a file, a variable or a prompt. */
export const readControllerCredentials = async (
  io: Io,
  kind: string,
  options: ParsedOptions,
  earlier: ControllerCredentials = {},
): Promise<ControllerCredentials> => {
  const needed = Object.entries(requiredCredentials(kind));
  const plain = needed.filter(([credential]) => isPublicCredential(credential));
  const secret = needed.filter(([credential]) => !isPublicCredential(credential));
  const files = secret.map(([credential]) => `${toOptionName(credential)}-file`);
  const input = files.filter((option) => getOption(options, option) === '-');
  if (input.length > 1)
    throw new CommandError(
      'options-conflict',
      `${input.map((option) => `--${option}`).join(' and ')} can not both be standard input`,
    );
  const credentials: Record<string, string> = {};
  // First what has no prompt: a missing option is reported before the user types a secret.
  for (const [credential] of plain) {
    const option = toOptionName(credential);
    const value = getOption(options, option) ?? earlier[credential];
    if (value === undefined)
      throw new CommandError(
        'option-missing',
        `--${option} is missing: a controller of the kind ${kind} needs it`,
      );
    credentials[credential] = parseLabel(`--${option}`, value);
  }
  for (const [credential, { what, hint }] of secret) {
    const option = toOptionName(credential);
    const [file, env] = [getOption(options, `${option}-file`), getOption(options, `${option}-env`)];
    const isPassword = credential === 'password';
    credentials[credential] = await readRequiredSecret(io, what, { option, file, env, hint, isPassword });
  }
  return credentials;
};

/** Replaces the credentials of a controller. */
export const replaceCredentials = (io: Io, name: string, options: ParsedOptions): Promise<void> =>
  withTables(io, async (opened) => {
    const { tables } = opened;
    const stored = await findController(tables, name);
    refuseForeignOptions(stored.kind, options);
    if (Object.keys(requiredCredentials(stored.kind)).length === 0)
      throw new CommandError(
        'not-applicable',
        `${stored.name} is of the kind ${stored.kind}, which needs no credentials`,
      );
    const credentials = await readControllerCredentials(
      io,
      stored.kind,
      options,
      openEarlierCredentials(opened, stored),
    );
    await openControllerAdministration(opened).change(stored.id, { credentials }, commandLineActor);
    // After a lost key, credentials are replaced one by one; with a wrong key by mistake, the user should
    // know.
    for (const { what, remedy } of await findUnopenableSecrets(tables, () =>
      openStoredSecrets(opened.config),
    ))
      io.err(
        `warning: ${what} was sealed with another key or for another address: use that key, or ${remedy}\n`,
      );
    if (options['json'] === true) io.out(`${JSON.stringify({ id: stored.id, name: stored.name })}\n`);
    else {
      io.out(`${sanitizeLine(stored.name)}\n`);
      io.err(
        `its credentials are replaced; try them: ${formatCommandLine(`controller test ${toQuotedWord(stored.name)}`)}\n`,
      );
    }
  });

/** The user need not repeat what is not secret. */
const openEarlierCredentials = (
  { config }: OpenedTables,
  stored: StoredController,
): ControllerCredentials => {
  if (stored.sealedCredentials === null) return {};
  try {
    const text = openStoredSecrets(config).open(stored.sealedCredentials, credentialsBinding(stored));
    return JSON.parse(text) as ControllerCredentials;
  } catch (error) {
    if (error instanceof SecretError) return {};
    throw error;
  }
};
