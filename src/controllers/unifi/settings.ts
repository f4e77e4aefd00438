import { SettingsError } from '../controller.js';
import type { Credentials } from '../registry.js';

/** What `controller add` asks for. */
export const unifiCredentials = {
  apiKey:
    'API key, made in UniFi Network under Settings, Control Plane, Integrations; for the cloud in Site Manager',
};

/** The key as a header can carry it: what was pasted may end with a line break. */
export const parseApiKey = ({ apiKey = '' }: Credentials): string => {
  const key = apiKey.trim();
  if (key === '') throw new SettingsError('api-key: is missing');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new SettingsError('api-key: holds characters that no key has');
  return key;
};
