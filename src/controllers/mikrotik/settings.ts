import { SettingsError } from '../errors.js';
import { parseConnectionSettings, type ConnectionSettings } from '../https/settings.js';

export interface MikrotikSettings extends ConnectionSettings {
  /** Are vouchers users of User Manager, where it is set up? Otherwise they are users of the hotspot. */
  readonly usesUserManager: boolean;
}

export const parseMikrotikSettings = (settings: Readonly<Record<string, unknown>>): MikrotikSettings => {
  const { userManager = 'yes' } = settings;
  if (userManager !== 'yes' && userManager !== 'no')
    throw new SettingsError('user-manager', `${String(userManager)} is not allowed: yes or no`);
  return { ...parseConnectionSettings(settings), usesUserManager: userManager === 'yes' };
};
