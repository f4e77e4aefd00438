import type { ControllerSpec } from './controller.js';
import { SettingsError, type SettingName } from './errors.js';
import { settingNamesOf } from './kinds.js';
import { mikrotikDefaults } from './mikrotik/settings.js';
import { radiusDefaults } from './radiusSql/settings.js';

/** What some kinds can be told besides their address. */
export interface ControllerOptions {
  /** radius-sql: is the connection encrypted where no CA is given? */
  readonly tls?: 'off' | 'system';
  /** radius-sql: do the access points keep rates? */
  readonly hasRates?: boolean;
  /** radius-sql: where access points listen for Disconnect-Requests. */
  readonly disconnectPort?: number;
  /** mikrotik: are vouchers made in User Manager, where the router has it? */
  readonly usesUserManager?: boolean;
}

type Settings = ControllerSpec['settings'];

/** How an option is stored. */
interface StoredOption {
  readonly setting: string;
  readonly name: SettingName;
  /** What holds without it. */
  readonly whenAbsent: unknown;
  readonly isYesOrNo?: boolean;
}

const storedOptions: Readonly<Record<keyof ControllerOptions, StoredOption>> = {
  tls: { setting: 'tls', name: 'tls', whenAbsent: radiusDefaults.tls },
  hasRates: { setting: 'rates', name: 'rates', whenAbsent: radiusDefaults.rates, isYesOrNo: true },
  disconnectPort: {
    setting: 'disconnectPort',
    name: 'disconnect-port',
    whenAbsent: radiusDefaults.disconnectPort,
  },
  usesUserManager: {
    setting: 'userManager',
    name: 'user-manager',
    whenAbsent: mikrotikDefaults.userManager,
    isYesOrNo: true,
  },
};

const optionNames = Object.keys(storedOptions) as (keyof ControllerOptions)[];

/** The settings for what was given. Throws `SettingsError` for what a kind does not take. */
export const toOptionSettings = (kind: string, options: ControllerOptions): Settings => {
  const given = optionNames.filter((option) => options[option] !== undefined);
  return Object.fromEntries(
    given.map((option) => {
      const { setting, name, isYesOrNo = false } = storedOptions[option];
      if (!settingNamesOf(kind).includes(setting))
        throw new SettingsError(name, `a controller of the kind ${kind} does not take it`);
      const value = options[option];
      return [setting, isYesOrNo ? (value === true ? 'yes' : 'no') : value];
    }),
  );
};

/** What holds for a controller; only what its kind takes. */
export const controllerOptionsOf = ({
  kind,
  settings,
}: Pick<ControllerSpec, 'kind' | 'settings'>): ControllerOptions => {
  const taken = optionNames.filter((option) => settingNamesOf(kind).includes(storedOptions[option].setting));
  return Object.fromEntries(
    taken.map((option) => {
      const { setting, whenAbsent, isYesOrNo = false } = storedOptions[option];
      const value = settings[setting] ?? whenAbsent;
      return [option, isYesOrNo ? value === 'yes' : value];
    }),
  );
};
