import { credentialsOf, type Credentials } from '../controllers/registry.js';
import { credentialsBinding, sealCredentials } from '../sealedBinding.js';
import { SecretError } from '../secrets.js';
import type { StoredController } from '../storage/controllers.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { commandLine } from './commandLine.js';
import { controllerNamed } from './controllerNamed.js';
import { given, isPlain, optionName, refuseOthers, type Given } from './controllerOptions.js';
import { CommandError, label, plain, type Io } from './io.js';
import { unopened, writeUnchecked } from './sealing.js';
import { readSecret } from './secretInput.js';
import { quoted } from './shellWord.js';
import { withStorage, type Opened } from './withStorage.js';

/** Reads the credentials that a kind needs: what is secret from a file, a variable or a prompt. */
export const readCredentials = async (
  io: Io,
  kind: string,
  options: Given,
  earlier: Credentials = {},
): Promise<Credentials> => {
  const needed = Object.entries(credentialsOf(kind));
  const plain = needed.filter(([credential]) => isPlain(credential));
  const secret = needed.filter(([credential]) => !isPlain(credential));
  const files = secret.map(([credential]) => `${optionName(credential)}-file`);
  const input = files.filter((option) => given(options, option) === '-');
  if (input.length > 1)
    throw new CommandError(
      `${input.map((option) => `--${option}`).join(' and ')} can not both be standard input`,
    );
  const credentials: Record<string, string> = {};
  // What may be missing is told before anything is asked for.
  for (const [credential] of plain) {
    const option = optionName(credential);
    const value = given(options, option) ?? earlier[credential];
    if (value === undefined)
      throw new CommandError(`--${option} is missing: a controller of the kind ${kind} needs it`);
    credentials[credential] = label(`--${option}`, value);
  }
  for (const [credential, what] of secret) {
    const option = optionName(credential);
    const [file, env] = [given(options, `${option}-file`), given(options, `${option}-env`)];
    credentials[credential] = await readSecret(io, what, { option, file, env });
  }
  return credentials;
};

export const replaceCredentials = (io: Io, name: string, options: Given): Promise<void> =>
  withStorage(io, async (opened) => {
    const { storage } = opened;
    const stored = await controllerNamed(storage, name);
    refuseOthers(stored.kind, options);
    if (Object.keys(credentialsOf(stored.kind)).length === 0)
      throw new CommandError(`${stored.name} is of the kind ${stored.kind}, which needs no credentials`);
    const credentials = await readCredentials(io, stored.kind, options, earlierOf(opened, stored));
    await writeUnchecked(opened, (secrets) =>
      storage.controllers.change(stored.id, {
        sealedCredentials: sealCredentials(secrets, stored, credentials)(stored.id),
      }),
    );
    // Whoever lost the key replaces one after the other; whoever uses a wrong one by mistake should know.
    for (const { what, wayOut } of await unopened(storage, () => openStoredSecrets(opened.config)))
      io.err(
        `warning: ${what} was sealed with another key or for another address: use that key, or ${wayOut}\n`,
      );
    if (options['json'] === true) io.out(`${JSON.stringify({ id: stored.id, name: stored.name })}\n`);
    else {
      io.out(`${plain(stored.name)}\n`);
      io.err(
        `its credentials are replaced; try them: ${commandLine(`controller test ${quoted(stored.name)}`)}\n`,
      );
    }
  });

/** What is not secret need not be given again. */
const earlierOf = ({ config }: Opened, stored: StoredController): Credentials => {
  if (stored.sealedCredentials === null) return {};
  try {
    const text = openStoredSecrets(config).open(stored.sealedCredentials, credentialsBinding(stored));
    return JSON.parse(text) as Credentials;
  } catch (error) {
    if (error instanceof SecretError) return {};
    throw error;
  }
};
