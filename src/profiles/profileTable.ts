import type { Knex } from 'knex';
import type { VoucherLimits } from '../controllers/voucherLimits.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { makeSiteBoundTable, type SiteBoundConflict, type SiteBoundTable } from '../sites/siteBoundTable.js';

/** A named set of limits for vouchers. */
export interface Profile extends VoucherLimits {
  readonly id: number;
  readonly name: string;
  /** The sites that it is for; null for all. */
  readonly siteIds: readonly number[] | null;
}

/** A profile as it is written. */
export interface ProfileValues extends Omit<Profile, 'id'> {
  /** What names are compared by. */
  readonly nameKey: string;
}

interface ProfileRow extends Omit<Profile, 'siteIds'> {
  readonly nameKey: string;
  readonly forAllSites: boolean;
}

const columns = defineColumns<ProfileRow>({
  id: 'plain',
  name: 'plain',
  nameKey: 'plain',
  maxUses: 'plain',
  expireMinutes: 'plain',
  down: 'plain',
  up: 'plain',
  quotaMb: 'plain',
  forAllSites: 'boolean',
});

/** Why a profile was not added, changed or removed. */
export type ProfileConflict = SiteBoundConflict<'profile'>;

/** Sites that a profile is no longer for, and those whose default was removed, have no default from then on. */
export type ProfileTable = SiteBoundTable<Profile, ProfileValues, 'profile'>;

/** Runs in the transaction before a profile is removed: for tables that refer to it. */
export type LeaveProfile = (transaction: Knex, profileId: number) => Promise<void>;

/** The table of profiles. A change that concerns sites raises their revision, too. */
export const makeProfileTable = (database: Database, leaveProfile?: LeaveProfile): ProfileTable =>
  makeSiteBoundTable(database, {
    noun: 'profile',
    columns,
    toRow: ({ siteIds, ...profile }: ProfileValues) => ({ ...profile, forAllSites: siteIds === null }),
    toItem: ({ nameKey: _key, forAllSites: _all, ...profile }, siteIds): Profile => ({ ...profile, siteIds }),
    onChanged: async (transaction, id, { siteIds }) => {
      if (!siteIds) return;
      const kept = transaction('profile_sites').select('site_id').where({ profile_id: id });
      await clearDefault(transaction, (sites) =>
        sites.where({ default_profile_id: id }).whereNotIn('id', kept),
      );
    },
    onRemove: async (transaction, id) => {
      await clearDefault(transaction, (sites) => sites.where({ default_profile_id: id }));
      await leaveProfile?.(transaction, id);
    },
  });

const clearDefault = async (
  transaction: Knex,
  choose: (sites: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<void> => {
  const cleared = await choose(transaction('sites')).update({ default_profile_id: null });
  if (cleared > 0) await raiseRevisions(transaction, ['sites']);
};
