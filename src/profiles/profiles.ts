import { toLabel } from '../lib/label.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import { toUserKey } from '../users/names.js';
import { seesSite, summarizeSites } from '../sites/siteScope.js';
import type { User } from '../users/users.js';
import type { AuditEntry } from '../audit/auditTable.js';
import type { Profile, ProfileConflict, ProfileInput, ProfileTable, ProfileValues } from './profileTable.js';

export type { Profile, ProfileInput };

/** Named sets of limits. All throw `Refusal`, and then nothing has changed. */
export interface Profiles {
  /**
   * What a user may see: administrators everything, staff what holds for a site of theirs. In their order.
   */
  list(user: Pick<User, 'role' | 'siteIds'>): Promise<Profile[]>;
  /** Rises with every change. Read it before the list that an order is made of. */
  revision(): Promise<number>;
  add(input: ProfileInput, actor: Actor): Promise<Profile>;
  /** Replaces all of it. */
  change(id: number, input: ProfileInput, actor: Actor): Promise<Profile>;
  remove(id: number, actor: Actor): Promise<void>;
  /** Puts all of them in an order. Refused when somebody else has changed a profile since that revision. */
  reorder(ids: readonly number[], revision: number, actor: Actor): Promise<void>;
  /** Makes one the default, or none. */
  setDefault(id: number | null, actor: Actor): Promise<void>;
}

const maxNameCharacters = 100;

export const makeProfiles = (table: ProfileTable, clock: Clock): Profiles => ({
  list: async (user) => (await table.all()).flatMap((profile) => visibleTo(user, profile)),
  revision: table.revision,
  add: async (input, actor) => {
    const profile = toProfileValues(input);
    const id = await table.add(
      profile,
      draftAudit(actor, 'profile.add', clock.now(), summarizeProfile(profile)),
    );
    if (typeof id === 'string') throw refusalOf(id);
    const { nameKey: _, ...values } = profile;
    return { id, ...values, position: null, isDefault: false };
  },
  change: async (id, input, actor) => {
    const profile = toProfileValues(input);
    const audit = draftAudit(actor, 'profile.change', clock.now(), summarizeProfile(profile));
    const outcome = await table.change(id, profile, audit);
    if (outcome !== 'changed') throw refusalOf(outcome);
    return findProfile(table, id);
  },
  remove: async (id, actor) => {
    const outcome = await table.remove(id, draftAudit(actor, 'profile.remove', clock.now()));
    if (outcome !== 'removed') throw refusalOf(outcome);
  },
  reorder: (ids, revision, actor) =>
    table.reorder(ids, revision, draftAudit(actor, 'profile.order', clock.now(), { count: ids.length })),
  setDefault: async (id, actor) => {
    const audit = draftAudit(actor, 'profile.default', clock.now(), id === null ? { removed: true } : {});
    const outcome = await table.setDefault(id, audit);
    if (outcome !== 'changed') throw refusalOf(outcome);
  },
});

/** A profile that was just changed. */
const findProfile = async (table: ProfileTable, id: number): Promise<Profile> => {
  const profile = (await table.all()).find((known) => known.id === id);
  if (!profile) throw refusalOf('unknown-profile');
  return profile;
};

/**
 * The profile that is chosen for a site unless somebody chooses another: the site's own default,
 * else the default of all, if it is for this site. Undefined where there is neither;
 * `offered` are the profiles that can be chosen there.
 */
export const findDefaultProfile = <P extends Pick<Profile, 'id' | 'isDefault'>>(
  { defaultProfileId }: { readonly defaultProfileId: number | null },
  offered: readonly P[],
): P | undefined => offered.find(({ id }) => id === defaultProfileId) ?? offered.find((one) => one.isDefault);

/** Staff do not learn which other sites there are. */
const visibleTo = (user: Pick<User, 'role' | 'siteIds'>, profile: Profile): Profile[] => {
  if (user.role === 'admin') return [profile];
  const { siteIds } = profile;
  if (siteIds === null) return user.siteIds.length > 0 ? [profile] : [];
  const theirs = siteIds.filter((id) => seesSite(user, id));
  return theirs.length > 0 ? [{ ...profile, siteIds: theirs }] : [];
};

/** A profile as it is stored. Throws `Refusal`. */
export const toProfileValues = ({ siteIds, ...input }: ProfileInput): ProfileValues => {
  const name = toLabel(input.name, maxNameCharacters);
  return {
    ...input,
    name,
    nameKey: toUserKey(name),
    siteIds: siteIds && [...new Set(siteIds)].sort((a, b) => a - b),
  };
};

/** What the audit log says of a profile. */
export const summarizeProfile = ({
  maxUses,
  expireMinutes,
  down,
  up,
  quotaMb,
  siteIds,
}: ProfileInput): AuditEntry['detail'] => ({
  maxUses,
  expireMinutes,
  down,
  up,
  quotaMb,
  sites: siteIds === null ? 'all' : summarizeSites(siteIds),
});

const refusalOf = (conflict: ProfileConflict): Refusal => {
  switch (conflict) {
    case 'name-taken':
      return new Refusal(conflict, 'there is a profile with this name');
    case 'unknown-site':
      return new Refusal(conflict, 'there is no such site');
    case 'unknown-profile':
      return new Refusal(conflict, 'there is no such profile', 'missing');
  }
};
