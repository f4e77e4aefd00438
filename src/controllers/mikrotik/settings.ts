import { SettingsError } from '../errors.js';
import {
  connectionSettingNames,
  parseConnectionSettings,
  type ConnectionSettings,
} from '../https/settings.js';

export interface MikrotikSettings extends ConnectionSettings {
  /** Are vouchers users of User Manager, where it is set up? Otherwise they are users of the hotspot. */
  readonly usesUserManager: boolean;
}

/** What holds for what is not given. */
export const mikrotikDefaults = { userManager: 'yes' } as const;

export const mikrotikSettingNames: readonly string[] = [
  ...connectionSettingNames,
  ...Object.keys(mikrotikDefaults),
];

export const parseMikrotikSettings = (settings: Readonly<Record<string, unknown>>): MikrotikSettings => {
  const { userManager = mikrotikDefaults.userManager } = settings;
  if (userManager !== 'yes' && userManager !== 'no')
    throw new SettingsError('user-manager', `${String(userManager)} is not allowed: yes or no`);
  return { ...parseConnectionSettings(settings), usesUserManager: userManager === 'yes' };
};
