import { ControllerError } from '../errors.js';
import type { Fields } from '../parsing.js';
import type { VoucherLimits } from '../voucherLimits.js';
import { addNamed } from './namedItem.js';
import { makeProfileCache } from './profileCache.js';
import { idOf, type RestApi } from './restApi.js';
import { bytesPerMb, type Signal } from './store.js';

const menu = '/user-manager';
const joinMenu = `${menu}/profile-limitation`;
const bitsPerKbit = 1000;

/** The profiles of User Manager, each with its limitation: one for each combination of limits. */
export interface ManagedProfiles {
  /** Makes the profile for these limits, unless it is there. Refuses one that keeps other limits. */
  ensure(limits: VoucherLimits, signal: Signal): Promise<void>;
  /** It was deleted on the router. */
  forget(limits: VoucherLimits): void;
}

/** Time, rates and volume belong to a profile and its limitation. */
export const profileOf = ({ expireMinutes, down, up, quotaMb }: VoucherLimits): string =>
  `vd-${String(expireMinutes)}m-${String(down)}-${String(up)}-${String(quotaMb)}`;

interface ManagedProfilesOptions {
  readonly api: RestApi;
  /** The controller's name, for messages. */
  readonly name: string;
}

// Several orders may wait for the same profile, so making it has no signal.
export const makeManagedProfiles = ({ api, name }: ManagedProfilesOptions): ManagedProfiles => {
  const profiles = makeProfileCache(name);

  const addKnown = (path: string, item: Fields & { name: string }): Promise<void> =>
    addNamed({ api, name, menu: `${menu}/${path}` }, item);

  /** What joins a profile with its limitation. Refuses a profile with any other one. */
  const readJoins = async (profile: string, own: string | undefined): Promise<readonly Fields[]> => {
    const joins = await api.print(joinMenu, { where: ['profile', [profile]] }, undefined);
    if (joins.every(({ limitation }) => own !== undefined && limitation === own)) return joins;
    const said = `${menu}/profile ${profile} has another limitation: remove it from the profile`;
    throw new ControllerError(name, { kind: 'refused', reason: 'order', said });
  };

  const join = async (profile: string): Promise<void> => {
    let joins = await readJoins(profile, profile);
    if (joins.length === 0) {
      api.assertAdded(await api.add(joinMenu, { profile, limitation: profile }, undefined));
      joins = await readJoins(profile, profile);
    }
    // Another process may have done the same at the same time. Both keep the same one.
    const [, ...others] = joins.map(idOf).sort();
    for (const id of others) await api.remove(joinMenu, id, undefined);
  };

  const make = async (limits: VoucherLimits): Promise<void> => {
    const { expireMinutes, down, up, quotaMb } = limits;
    const profile = profileOf(limits);
    await addKnown('profile', {
      name: profile,
      'name-for-users': profile,
      validity: `${String(expireMinutes)}m`,
      'starts-when': 'first-auth',
    });
    if (down === 0 && up === 0 && quotaMb === 0) {
      await readJoins(profile, undefined);
      return;
    }
    await addKnown('limitation', {
      name: profile,
      // As the router sees it: it receives what a guest sends.
      ...(up > 0 && { 'rate-limit-rx': String(up * bitsPerKbit) }),
      ...(down > 0 && { 'rate-limit-tx': String(down * bitsPerKbit) }),
      ...(quotaMb > 0 && { 'transfer-limit': String(quotaMb * bytesPerMb) }),
    });
    await join(profile);
  };

  return {
    ensure: (limits, signal) => profiles.ensure(profileOf(limits), () => make(limits), signal),
    forget: (limits) => profiles.forget(profileOf(limits)),
  };
};
