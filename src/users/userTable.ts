import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { removeAccountTokens, useAccountToken } from './accountTokenTable.js';
import { replaceRecoveryCodes } from './recoveryCodeTable.js';
import { raiseRevisions } from '../database/revisions.js';
import type { Role } from './roles.js';
import { isSetupTokenValid, removeSetupTokens } from './setupTokenTable.js';
import { doSitesExist } from '../sites/siteTable.js';
import { inTransaction, insertRows } from '../database/transactions.js';

/** A user of the pages. */
export interface StoredUser {
  readonly id: number;
  /** What they sign in with. */
  readonly name: string;
  readonly nameKey: string;
  readonly email: string | null;
  readonly emailKey: string | null;
  readonly role: Role;
  /** Null for somebody who only uses single sign-on. */
  readonly passwordHash: string | null;
  /** Somebody else has chosen the password, so it has to be changed. */
  readonly passwordIsTemporary: boolean;
  readonly sealedTotpSecret: string | null;
  /** A secret that is not confirmed yet. */
  readonly sealedTotpEnrolment: string | null;
  /** The time step of the last code that was accepted. */
  readonly totpLastStep: number | null;
  readonly signInVersion: number;
  readonly language: string | null;
  readonly disabledAt: number | null;
  readonly createdAt: number;
  readonly lastSignInAt: number | null;
  /** What the identity provider calls them; null until their first single sign-on. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

/** Who somebody is at an identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export const userColumns = defineColumns<StoredUser>({
  id: 'plain',
  name: 'plain',
  nameKey: 'plain',
  email: 'plain',
  emailKey: 'plain',
  role: 'plain',
  passwordHash: 'plain',
  passwordIsTemporary: 'boolean',
  sealedTotpSecret: 'plain',
  sealedTotpEnrolment: 'plain',
  totpLastStep: 'plain',
  signInVersion: 'plain',
  language: 'plain',
  disabledAt: 'plain',
  createdAt: 'plain',
  lastSignInAt: 'plain',
  issuer: 'plain',
  subject: 'plain',
});

export type NewUser = Pick<
  StoredUser,
  | 'name'
  | 'nameKey'
  | 'email'
  | 'emailKey'
  | 'role'
  | 'passwordHash'
  | 'passwordIsTemporary'
  | 'language'
  | 'createdAt'
> &
  Partial<Pick<StoredUser, 'disabledAt' | 'lastSignInAt'>> & {
    /** For a user who brings a second factor along: seals it for their id. */
    readonly sealTotpSecret?: (id: number) => string;
  };

/** A change of one user, as one transaction. */
export interface UserChange {
  readonly values?: Partial<Omit<StoredUser, 'id' | 'signInVersion'>>;
  /** Replaces the assigned sites. */
  readonly siteIds?: readonly number[];
  /** Replaces the recovery codes. */
  readonly recoveryHashes?: readonly string[];
  readonly endsSessions: boolean;
  /** The hash of a token that permits it: without a valid one nothing changes. */
  readonly tokenHash?: string | undefined;
  /** Null for steps that are not worth an entry. */
  readonly audit: AuditDraft | null;
}

/** Why a user was not added or changed. */
export type UserConflict =
  | 'name-taken'
  | 'email-taken'
  | 'unknown-user'
  | 'unknown-site'
  | 'last-administrator'
  | 'setup-refused'
  | 'token-refused';

export interface UserTable {
  /**
   * Adds a user and returns their id. With the hash of a setup token they are added only if the token is
   * valid and there is no other user.
   */
  add(
    user: NewUser,
    siteIds: readonly number[],
    audit: AuditDraft,
    setupTokenHash?: string,
  ): Promise<number | UserConflict>;
  all(): Promise<StoredUser[]>;
  count(): Promise<number>;
  find(id: number): Promise<StoredUser | undefined>;
  /** Finds a user by the key of their name or e-mail address. */
  findByKey(key: string): Promise<StoredUser | undefined>;
  findByIdentity(identity: Identity): Promise<StoredUser | undefined>;
  /** The ids of the assigned sites, by user. */
  sites(): Promise<Map<number, number[]>>;
  /** Changes a user as `decide` says, from the current row; undefined changes nothing. */
  change(
    id: number,
    decide: (user: StoredUser) => UserChange | undefined,
  ): Promise<'changed' | 'unchanged' | UserConflict>;
  /** Replaces the hash of a password that stays the same, unless it has changed meanwhile. */
  replaceHash(user: Pick<StoredUser, 'id' | 'passwordHash'>, hash: string): Promise<void>;
  /** Removes a user with everything that is theirs; what they did stays in the audit log. */
  remove(id: number, audit: AuditDraft): Promise<'removed' | UserConflict>;
  /** Notes the time step of an accepted code. Returns false if it, or a later one, was used already. */
  useTotpStep(user: Pick<StoredUser, 'id' | 'signInVersion'>, step: number): Promise<boolean>;
}

/**
 * Codes are accepted one step before and after their time. A step that lies further ahead was noted before
 * the clock was set back.
 */
const maxStepsAhead = 2;

/** The table of users, with the sites assigned to them. */
export const makeUserTable = ({ read, write }: Database): UserTable => ({
  add: (user, siteIds, audit, setupTokenHash) =>
    inUserTransaction(write, async (transaction) => {
      if (setupTokenHash !== undefined) {
        const isFirst = !(await transaction('users').first('id'));
        if (!isFirst || !(await isSetupTokenValid(transaction, setupTokenHash, user.createdAt)))
          return 'setup-refused';
      }
      const taken = await findTaken(transaction, user);
      if (taken) return taken;
      if (!(await doSitesExist(transaction, siteIds))) return 'unknown-site';
      await removeSetupTokens(transaction);
      const [row] = await transaction('users')
        .insert({ ...userColumns.toNewRow(user), sign_in_version: 0 })
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      if (user.sealTotpSecret)
        await transaction('users')
          .where({ id })
          .update({ sealed_totp_secret: user.sealTotpSecret(id) });
      await replaceSites(transaction, id, siteIds);
      await recordAudit(transaction, toEntry(audit, { id, name: user.name }));
      return id;
    }),
  all: async () => userColumns.fromRows(await read('users').select(userColumns.aliases).orderBy('name_key')),
  count: async () => {
    const row = await read('users').first<{ count: number } | undefined>(read.raw('count(*) as count'));
    return row?.count ?? 0;
  },
  find: async (id) => userColumns.fromRows(await read('users').select(userColumns.aliases).where({ id }))[0],
  findByKey: async (key) =>
    userColumns.fromRows(
      await read('users').select(userColumns.aliases).where({ name_key: key }).orWhere({ email_key: key }),
    )[0],
  findByIdentity: async ({ issuer, subject }) =>
    userColumns.fromRows(await read('users').select(userColumns.aliases).where({ issuer, subject }))[0],
  sites: async () => {
    const rows = await read('user_sites')
      .select<{ user_id: number; site_id: number }[]>('user_id', 'site_id')
      .orderBy(['user_id', 'site_id']);
    const sites = new Map<number, number[]>();
    for (const { user_id: userId, site_id: siteId } of rows)
      sites.set(userId, [...(sites.get(userId) ?? []), siteId]);
    return sites;
  },
  change: (id, decide) =>
    inUserTransaction(write, async (transaction) => {
      const user = await findInTransaction(transaction, id);
      if (!user) return 'unknown-user';
      const change = decide(user);
      if (!change) return 'unchanged';
      const { values = {}, siteIds, recoveryHashes, endsSessions, tokenHash, audit } = change;
      const after = { ...user, ...values };
      if (!isEnabledAdmin(after) && (await isLastAdministrator(transaction, user)))
        return 'last-administrator';
      const taken = await findTaken(transaction, after);
      if (taken) return taken;
      if (siteIds && !(await doSitesExist(transaction, siteIds))) return 'unknown-site';
      if (tokenHash !== undefined && !(await useAccountToken(transaction, tokenHash, id, audit?.at ?? 0)))
        return 'token-refused';
      // Links that were sent are for the user as they were.
      if (endsSessions || values.emailKey !== undefined || values.passwordHash !== undefined)
        await removeAccountTokens(transaction, id);
      const signInVersion = user.signInVersion + (endsSessions ? 1 : 0);
      await transaction('users')
        .where({ id })
        .update(userColumns.toRow({ ...values, signInVersion }));
      if (siteIds) await replaceSites(transaction, id, siteIds);
      if (recoveryHashes) await replaceRecoveryCodes(transaction, id, recoveryHashes);
      if (endsSessions) await transaction('sessions').where({ user_id: id }).delete();
      if (audit) await recordAudit(transaction, toEntry(audit, after));
      return 'changed';
    }),
  replaceHash: async ({ id, passwordHash }, hash) => {
    await write('users').where({ id, password_hash: passwordHash }).update({ password_hash: hash });
  },
  remove: (id, audit) =>
    inUserTransaction(write, async (transaction) => {
      const user = await findInTransaction(transaction, id);
      if (!user) return 'unknown-user';
      if (await isLastAdministrator(transaction, user)) return 'last-administrator';
      await transaction('users').where({ id }).delete();
      await recordAudit(transaction, toEntry(audit, user));
      return 'removed';
    }),
  useTotpStep: async ({ id, signInVersion }, step) =>
    (await write('users')
      .where({ id, sign_in_version: signInVersion })
      .where((unused) =>
        unused
          .whereNull('totp_last_step')
          .orWhere('totp_last_step', '<', step)
          .orWhere('totp_last_step', '>', step + maxStepsAhead),
      )
      .update({ totp_last_step: step })) > 0,
});

/**
 * Runs a transaction that changes users or sessions. Raising their revision first locks out other such
 * transactions, so what this one reads still holds when it writes.
 */
export const inUserTransaction = <T>(write: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> =>
  inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['people']);
    return work(transaction);
  });

const findInTransaction = async (transaction: Knex, id: number): Promise<StoredUser | undefined> =>
  userColumns.fromRows(await transaction('users').select(userColumns.aliases).where({ id }))[0];

const isEnabledAdmin = ({ role, disabledAt }: Pick<StoredUser, 'role' | 'disabledAt'>): boolean =>
  role === 'admin' && disabledAt === null;

const isLastAdministrator = async (transaction: Knex, user: StoredUser): Promise<boolean> => {
  if (!isEnabledAdmin(user)) return false;
  const other = await transaction('users')
    .where({ role: 'admin', disabled_at: null })
    .whereNot({ id: user.id })
    .first<{ id: number } | undefined>('id');
  return other === undefined;
};

/** Names and e-mail addresses share one space, because people sign in with either. */
const findTaken = async (
  transaction: Knex,
  { id = 0, nameKey, emailKey }: Pick<StoredUser, 'nameKey' | 'emailKey'> & { readonly id?: number },
): Promise<UserConflict | undefined> => {
  const keyOfOther = async (key: string): Promise<boolean> =>
    (await transaction('users')
      .whereNot({ id })
      .where((either) => either.where({ name_key: key }).orWhere({ email_key: key }))
      .first('id')) !== undefined;
  if (await keyOfOther(nameKey)) return 'name-taken';
  return emailKey !== null && (await keyOfOther(emailKey)) ? 'email-taken' : undefined;
};

const replaceSites = async (transaction: Knex, userId: number, siteIds: readonly number[]): Promise<void> => {
  await transaction('user_sites').where({ user_id: userId }).delete();
  const rows = [...new Set(siteIds)].map((siteId) => ({ user_id: userId, site_id: siteId }));
  await insertRows(transaction, 'user_sites', rows);
};

const toEntry = (audit: AuditDraft, { id, name }: Pick<StoredUser, 'id' | 'name'>) => ({
  ...audit,
  subjectKind: 'user' as const,
  subjectId: String(id),
  subjectName: name,
});
