import type { Knex } from 'knex';
import { groupBy } from '../lib/collections.js';
import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import type { VoucherLimits } from '../controllers/voucherLimits.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { doSitesExist } from '../sites/siteTable.js';
import { inTransaction, insertRows } from '../database/transactions.js';

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

/** Why a profile was not added or changed. */
export type ProfileConflict = 'name-taken' | 'unknown-site' | 'unknown-profile';

export interface ProfileTable {
  all(): Promise<Profile[]>;
  /** Returns the new profile's id. */
  add(profile: ProfileValues, audit: AuditDraft): Promise<number | ProfileConflict>;
  /** Replaces all of it. Sites that it is no longer for have no default from then on, if it was theirs. */
  change(id: number, profile: ProfileValues, audit: AuditDraft): Promise<'changed' | ProfileConflict>;
  /** Removes a profile; sites whose default it was have none from then on. */
  remove(id: number, audit: AuditDraft): Promise<'removed' | ProfileConflict>;
}

/** The table of profiles. Every change raises their revision, and that of the sites when it concerns them. */
export const makeProfileTable = ({ read, write }: Database): ProfileTable => ({
  all: async () => {
    const [rows, sites] = await Promise.all([
      read('profiles').select(columns.aliases).orderBy('id'),
      read('profile_sites')
        .select<{ profileId: number; siteId: number }[]>({ profileId: 'profile_id', siteId: 'site_id' })
        .orderBy(['profile_id', 'site_id']),
    ]);
    const byProfile = groupBy(sites, ({ profileId }) => profileId);
    return columns.fromRows(rows).map(({ nameKey: _, forAllSites, ...profile }) => ({
      ...profile,
      siteIds: forAllSites ? null : (byProfile.get(profile.id) ?? []).map(({ siteId }) => siteId),
    }));
  },
  add: (profile, audit) =>
    inProfilesTransaction(write, async (transaction) => {
      const conflict = await findConflict(transaction, 0, profile);
      if (conflict) return conflict;
      const [row] = await transaction('profiles')
        .insert(columns.toNewRow(toRow(profile)))
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      await replaceSites(transaction, id, profile.siteIds);
      await recordAudit(transaction, toEntry(audit, { id, name: profile.name }));
      return id;
    }),
  change: (id, profile, audit) =>
    inProfilesTransaction(write, async (transaction) => {
      if (!(await findName(transaction, id))) return 'unknown-profile';
      const conflict = await findConflict(transaction, id, profile);
      if (conflict) return conflict;
      await transaction('profiles')
        .where({ id })
        .update(columns.toRow(toRow(profile)));
      await replaceSites(transaction, id, profile.siteIds);
      if (profile.siteIds) {
        const kept = transaction('profile_sites').select('site_id').where({ profile_id: id });
        await clearDefault(transaction, (sites) =>
          sites.where({ default_profile_id: id }).whereNotIn('id', kept),
        );
      }
      await recordAudit(transaction, toEntry(audit, { id, name: profile.name }));
      return 'changed';
    }),
  remove: (id, audit) =>
    inProfilesTransaction(write, async (transaction) => {
      const found = await findName(transaction, id);
      if (!found) return 'unknown-profile';
      await clearDefault(transaction, (sites) => sites.where({ default_profile_id: id }));
      await transaction('profiles').where({ id }).delete();
      await recordAudit(transaction, toEntry(audit, { id, name: found.name }));
      return 'removed';
    }),
});

/** Raising the revision first locks out other such transactions, so what this one reads still holds when it writes. */
const inProfilesTransaction = <T>(write: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> =>
  inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['profiles']);
    return work(transaction);
  });

const toRow = ({ siteIds, ...profile }: ProfileValues): Partial<ProfileRow> => ({
  ...profile,
  forAllSites: siteIds === null,
});

const findName = (transaction: Knex, id: number): Promise<{ name: string } | undefined> =>
  transaction('profiles').where({ id }).first<{ name: string } | undefined>('name');

const findConflict = async (
  transaction: Knex,
  id: number,
  { nameKey, siteIds }: ProfileValues,
): Promise<ProfileConflict | undefined> => {
  if (await transaction('profiles').where({ name_key: nameKey }).whereNot({ id }).first('id'))
    return 'name-taken';
  return siteIds && !(await doSitesExist(transaction, siteIds)) ? 'unknown-site' : undefined;
};

const replaceSites = async (
  transaction: Knex,
  profileId: number,
  siteIds: readonly number[] | null,
): Promise<void> => {
  await transaction('profile_sites').where({ profile_id: profileId }).delete();
  const rows = [...new Set(siteIds)].map((siteId) => ({ profile_id: profileId, site_id: siteId }));
  await insertRows(transaction, 'profile_sites', rows);
};

const clearDefault = async (
  transaction: Knex,
  choose: (sites: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<void> => {
  const cleared = await choose(transaction('sites')).update({ default_profile_id: null });
  if (cleared > 0) await raiseRevisions(transaction, ['sites']);
};

const toEntry = (audit: AuditDraft, { id, name }: Pick<Profile, 'id' | 'name'>): NewAuditEntry => ({
  ...audit,
  subjectKind: 'profile',
  subjectId: String(id),
  subjectName: name,
});
