import type { System } from '../../lib/system.js';
import { isUnknownMenu } from './answer.js';
import type { RestApi } from './restApi.js';
import type { GuestStore, Signal } from './store.js';
import { asFlag } from './values.js';

/** What the router has of User Manager. */
export type UserManagerState = 'absent' | 'off' | 'on';

interface Stores {
  /** Where new vouchers are made. */
  readonly current: GuestStore;
  /** Where vouchers may be: User Manager may have been installed, or switched off, since some were made. */
  readonly all: readonly GuestStore[];
  readonly userManager: UserManagerState;
}

export interface GuestStores {
  get(signal: Signal): Promise<Stores>;
}

interface StoresOptions {
  readonly api: RestApi;
  readonly hotspot: GuestStore;
  readonly userManager: GuestStore;
  readonly system: Pick<System, 'now'>;
  readonly usesUserManager: boolean;
}

/** How long the router is not asked again whether it has User Manager. */
const rememberedMs = 60_000;

export const makeStores = ({
  api,
  hotspot,
  userManager,
  system,
  usesUserManager,
}: StoresOptions): GuestStores => {
  let known: { readonly at: number; readonly stores: Stores } | undefined;

  const findState = async (signal: Signal): Promise<UserManagerState> => {
    const answer = await api.read('/user-manager', signal);
    if (isUnknownMenu(answer)) return 'absent';
    const settings = api.propertiesOf(answer);
    // Without profiles no limit would be kept.
    return asFlag(settings['enabled']) && asFlag(settings['use-profiles']) ? 'on' : 'off';
  };

  const find = async (signal: Signal): Promise<Stores> => {
    if (!usesUserManager) return { current: hotspot, all: [hotspot], userManager: 'absent' };
    const state = await findState(signal);
    return {
      current: state === 'on' ? userManager : hotspot,
      all: state === 'absent' ? [hotspot] : [hotspot, userManager],
      userManager: state,
    };
  };

  return {
    get: async (signal) => {
      const age = known ? system.now() - known.at : Infinity;
      if (known && age >= 0 && age < rememberedMs) return known.stores;
      const stores = await find(signal);
      known = { at: system.now(), stores };
      return stores;
    },
  };
};
