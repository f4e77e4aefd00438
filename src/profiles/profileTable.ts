import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { VoucherLimits } from '../controllers/voucherLimits.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';
import { Refusal } from '../errors/problem.js';
import { compareNames } from '../lib/collections.js';
import { makeSiteBoundTable, type SiteBoundConflict, type SiteBoundTable } from '../sites/siteBoundTable.js';

/** A named set of limits for vouchers. */
export interface Profile extends VoucherLimits {
  readonly id: number;
  readonly name: string;
  /** The sites that it is for; null for all. */
  readonly siteIds: readonly number[] | null;
  /** Its place among the others; null for one that nobody has placed, which comes last. */
  readonly position: number | null;
  /** Is it chosen unless somebody chooses another? There is one at most. */
  readonly isDefault: boolean;
}

/** What a profile is made of. Its place and whether it is the default are changed by themselves. */
export type ProfileInput = Omit<Profile, 'id' | 'position' | 'isDefault'>;

/** A profile as it is written. */
export interface ProfileValues extends ProfileInput {
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
  position: 'plain',
  isDefault: 'boolean',
});

/** Why a profile was not added, changed or removed. */
export type ProfileConflict = SiteBoundConflict<'profile'>;

/**
 * Sites that a profile is no longer for, and those whose default was removed, have no default from then on.
 */
export interface ProfileTable extends SiteBoundTable<Profile, ProfileValues, 'profile'> {
  /** All, or those with these ids: in the order that an administrator gave them, then by name. */
  all(ids?: readonly number[]): Promise<Profile[]>;
  /** Rises with every change of a profile. */
  revision(): Promise<number>;
  /**
   * Puts all profiles in an order. `revision` is the one that the order was made of. Throws the refusal
   * `changed-meanwhile` when another change came first, or when the order is not one of all profiles.
   */
  reorder(ids: readonly number[], revision: number, audit: AuditDraft): Promise<void>;
  /** Makes one the default, or none. */
  setDefault(id: number | null, audit: AuditDraft): Promise<'changed' | 'unknown-profile'>;
}

/** Runs in the transaction before a profile is removed: for tables that refer to it. */
export type LeaveProfile = (transaction: Knex, profileId: number) => Promise<void>;

/** The table of profiles. A change that concerns sites raises their revision, too. */
export const makeProfileTable = (database: Database, leaveProfile?: LeaveProfile): ProfileTable => {
  const { read, write } = database;
  const table = makeSiteBoundTable(database, {
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

  /** Raising the revision first locks out other changes of profiles. Returns the revision before. */
  const inProfileTransaction = <T>(work: (transaction: Knex, before: number) => Promise<T>): Promise<T> =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['profiles']);
      return work(transaction, (await readRevision(transaction)) - 1);
    });

  return {
    ...table,
    all: async (ids) => (await table.all(ids)).sort(compareProfiles),
    revision: () => readRevision(read),
    reorder: (ids, revision, audit) =>
      inProfileTransaction(async (transaction, before) => {
        const known = new Set(await transaction('profiles').pluck<number[]>('id'));
        const isComplete =
          new Set(ids).size === ids.length && ids.length === known.size && ids.every((id) => known.has(id));
        // Thrown, so that a revision that was raised for nothing does not refuse the next one.
        if (before !== revision || !isComplete)
          throw new Refusal('changed-meanwhile', 'the profiles were changed meanwhile');
        for (const [position, id] of ids.entries())
          await transaction('profiles').where({ id }).update({ position });
        await recordAudit(transaction, { ...audit, ...noSubject });
      }),
    setDefault: (id, audit) =>
      inProfileTransaction(async (transaction) => {
        const found = id === null ? undefined : await findName(transaction, id);
        if (id !== null && !found) return 'unknown-profile';
        await transaction('profiles').where({ is_default: true }).update({ is_default: false });
        if (id !== null) await transaction('profiles').where({ id }).update({ is_default: true });
        await recordAudit(transaction, {
          ...audit,
          ...(found ? { subjectKind: 'profile', subjectId: String(id), subjectName: found.name } : noSubject),
        });
        return 'changed';
      }),
  };
};

const noSubject = { subjectKind: null, subjectId: null, subjectName: null } as const;

const placeOf = ({ position }: Profile): number => position ?? Number.MAX_SAFE_INTEGER;

const compareProfiles = (a: Profile, b: Profile): number => placeOf(a) - placeOf(b) || compareNames(a, b);

const findName = (transaction: Knex, id: number): Promise<{ name: string } | undefined> =>
  transaction('profiles').where({ id }).first<{ name: string } | undefined>('name');

const readRevision = async (db: Knex): Promise<number> => {
  const row = await db('revisions').where({ name: 'profiles' }).first<{ value: number } | undefined>('value');
  return row?.value ?? 0;
};

const clearDefault = async (
  transaction: Knex,
  choose: (sites: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<void> => {
  // No site gets it meanwhile: that would raise the revision of profiles.
  if (!(await choose(transaction('sites')).first<{ id: number } | undefined>('id'))) return;
  // Before their rows, like every change of sites: otherwise the two could deadlock.
  await raiseRevisions(transaction, ['sites']);
  await choose(transaction('sites')).update({ default_profile_id: null });
};
