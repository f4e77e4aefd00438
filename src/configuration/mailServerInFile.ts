import type { Tables } from '../app/tables.js';
import { isSender } from '../config/mailEnvironment.js';
import { parseMailSettings, placeOfMailServer } from '../email/mailServer.js';
import { Refusal } from '../errors/problem.js';
import type { Binding, Secrets } from '../secrets/encryption.js';
import { checkServerHost } from '../ssrf/serverAddress.js';
import { connectionStoreOf } from './connectionInFile.js';
import type { FileMailServer } from './configurationFile.js';

/** A mail server whose password is open; undefined when the file does not have it. */
export interface OpenMailServer extends Omit<FileMailServer, 'password'> {
  readonly password: string | undefined;
}

type Settings = Omit<FileMailServer, 'password'>;

/** A password belongs to the server and the user beside it. */
export const fileMailServerBinding = (settings: Settings): Binding =>
  JSON.stringify(['file', 'mailServer', placeOfMailServer(settings)]);

/** The stored mail server; what the environment sets is not part of the file. */
export const exportMailServer = async (
  tables: Tables,
  transfer: { readonly stored: Secrets; readonly file: Secrets } | undefined,
): Promise<FileMailServer | undefined> => {
  const stored = await tables.connections.find('mail');
  if (!stored) return undefined;
  const settings = parseMailSettings(stored);
  // Only the sender is stored where the environment names the server.
  if (settings.host === '') return undefined;
  const password =
    transfer &&
    connectionStoreOf('mail', tables, () => transfer.stored).openSecret(stored, placeOfMailServer(settings));
  return {
    ...settings,
    password:
      transfer && password !== undefined
        ? transfer.file.seal(password, fileMailServerBinding(settings))
        : null,
  };
};

/** Checks values as if they were entered. Throws `Refusal`. */
export const checkMailServer = ({ host, from }: Settings): void => {
  checkServerHost(host);
  if (!isSender(from))
    throw new Refusal('sender-invalid', 'the sender is not a valid e-mail address', 'invalid');
};
