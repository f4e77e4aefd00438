import type { Binding } from '../secrets/encryption.js';
import type { FileController, FileSite, FileWebhook } from './configurationFile.js';

// What a sealed value of a file belongs to, as in the database: somebody who can change the file, but does
// not know the pass phrase, can't have credentials sent to another address. An import does not move stored
// credentials either.

export const fileCredentialsBinding = ({
  name,
  kind,
  settings,
}: Pick<FileController, 'name' | 'kind' | 'settings'>): Binding => {
  const { url = null, fingerprint = null, ca = null } = settings;
  return JSON.stringify(['file', 'controllers', name, kind, url, fingerprint, ca]);
};

export const fileWebhookBinding = (
  { name, format }: Pick<FileWebhook, 'name' | 'format'>,
  part: 'address' | 'secret',
): Binding => JSON.stringify(['file', 'webhooks', name, format, part]);

export const fileWifiBinding = ({ id, ssid = null }: Pick<FileSite, 'id' | 'ssid'>): Binding =>
  JSON.stringify(['file', 'sites', id, 'wifi', ssid]);
