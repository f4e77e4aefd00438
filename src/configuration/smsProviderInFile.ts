import type { Tables } from '../app/tables.js';
import type { Binding, Secrets } from '../secrets/encryption.js';
import { parseSmsSettings, placeOfSmsProvider, type SmsSettings } from '../sms/smsProvider.js';
import { connectionStoreOf } from './connectionInFile.js';
import type { FileSmsProvider } from './configurationFile.js';

/** An SMS provider whose secret is open; undefined when the file does not have it. */
export interface OpenSmsProvider extends SmsSettings {
  readonly secret: string | undefined;
}

/** A secret belongs to the provider and the user beside it. */
export const fileSmsProviderBinding = (settings: SmsSettings): Binding =>
  JSON.stringify(['file', 'smsProvider', placeOfSmsProvider(settings)]);

/** The stored provider; what the environment sets is not part of the file. */
export const exportSmsProvider = async (
  tables: Tables,
  transfer: { readonly stored: Secrets; readonly file: Secrets } | undefined,
): Promise<FileSmsProvider | undefined> => {
  const stored = await tables.connections.find('sms');
  const { connection, rules } = parseSmsSettings(stored);
  // Only the rules are stored where the environment sets the provider.
  if (!connection) return undefined;
  const settings = { ...connection, ...rules };
  const secret =
    transfer &&
    connectionStoreOf('sms', tables, () => transfer.stored).openSecret(stored, placeOfSmsProvider(settings));
  return {
    ...settings,
    secret:
      transfer && secret !== undefined ? transfer.file.seal(secret, fileSmsProviderBinding(settings)) : null,
  };
};
