import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch } from '../database/transactions.js';
import { inUserTransaction, userColumns, type StoredUser } from '../users/userTable.js';

/** A session of a signed-in user. */
export interface StoredSession {
  /** The SHA-256 of its token, in hexadecimal. */
  readonly id: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly address: string | null;
  readonly browser: string | null;
  /** Was a second factor given at sign-in? */
  readonly secondFactor: boolean;
}

const columns = defineColumns<StoredSession>({
  id: 'plain',
  userId: 'plain',
  createdAt: 'plain',
  lastUsedAt: 'plain',
  address: 'plain',
  browser: 'plain',
  secondFactor: 'boolean',
});

/** A session with its user and the sites assigned to them. */
export interface SessionOfUser {
  readonly session: StoredSession;
  readonly user: StoredUser;
  readonly siteIds: readonly number[];
}

/** The times that sessions have which have not ended. All bounds but `usedUntil` are exclusive. */
export interface SessionBounds {
  readonly usedAfter: number;
  readonly usedUntil: number;
  readonly begunAfter: number;
}

export interface SessionTable {
  /**
   * Begins a session, and ends the oldest ones beyond `maxSessions`. Returns false, and begins none, if the
   * user was disabled or changed in a way that ends sessions since `user` was read.
   */
  begin(
    session: StoredSession,
    user: Pick<StoredUser, 'signInVersion' | 'name'>,
    maxSessions: number,
    audit: AuditDraft,
  ): Promise<boolean>;
  /** The session of a user who is not disabled. */
  find(id: string): Promise<SessionOfUser | undefined>;
  noteUse(id: string, at: number): Promise<void>;
  /** The sessions of a user, the last used first. */
  ofUser(userId: number): Promise<StoredSession[]>;
  /** Ends the given sessions of a user, or all of them, and returns how many. */
  end(
    user: Pick<StoredUser, 'id' | 'name'>,
    ids: readonly string[] | 'all',
    audit: AuditDraft,
  ): Promise<number>;
  /** Removes a batch of the sessions that have ended by themselves, and returns how many. */
  removeEnded(bounds: SessionBounds, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countEnded(bounds: SessionBounds, limit: number): Promise<number>;
}

/** The table of sessions. */
export const makeSessionTable = ({ read, write }: Database): SessionTable => ({
  begin: (session, { signInVersion, name }, maxSessions, audit) =>
    inUserTransaction(write, async (transaction) => {
      const { userId, createdAt } = session;
      const unchanged = await transaction('users')
        .where({ id: userId, sign_in_version: signInVersion, disabled_at: null })
        .update({ last_sign_in_at: createdAt });
      if (unchanged === 0) return false;
      const older = await transaction('sessions')
        .where({ user_id: userId })
        .orderBy([{ column: 'last_used_at', order: 'desc' }, 'id'])
        .pluck<string[]>('id');
      await transaction('sessions')
        .whereIn('id', older.slice(maxSessions - 1))
        .delete();
      await transaction('sessions').insert(columns.toRow(session));
      await recordAudit(transaction, {
        ...audit,
        subjectKind: 'user',
        subjectId: String(userId),
        subjectName: name,
      });
      return true;
    }),
  find: async (id) => {
    const [session] = columns.fromRows(await read('sessions').select(columns.aliases).where({ id }));
    if (!session) return undefined;
    const { userId } = session;
    const [user] = userColumns.fromRows(
      await read('users').select(userColumns.aliases).where({ id: userId, disabled_at: null }),
    );
    if (!user) return undefined;
    const siteIds = await read('user_sites')
      .where({ user_id: userId })
      .orderBy('site_id')
      .pluck<number[]>('site_id');
    return { session, user, siteIds };
  },
  noteUse: async (id, at) => {
    await write('sessions').where({ id }).where('last_used_at', '<', at).update({ last_used_at: at });
  },
  ofUser: async (userId) =>
    columns.fromRows(
      await read('sessions')
        .select(columns.aliases)
        .where({ user_id: userId })
        .orderBy([{ column: 'last_used_at', order: 'desc' }, 'id']),
    ),
  end: ({ id, name }, ids, audit) =>
    inUserTransaction(write, async (transaction) => {
      const chosen = transaction('sessions').where({ user_id: id });
      const ended = await (ids === 'all' ? chosen : chosen.whereIn('id', ids)).delete();
      if (ended > 0)
        await recordAudit(transaction, {
          ...audit,
          subjectKind: 'user',
          subjectId: String(id),
          subjectName: name,
        });
      return ended;
    }),
  removeEnded: (bounds, limit) =>
    deleteBatch(write, { table: 'sessions', key: 'id' }, (rows) => whereEnded(rows, bounds), limit),
  countEnded: (bounds, limit) => countChosenRows(read, 'sessions', (rows) => whereEnded(rows, bounds), limit),
});

const whereEnded = (
  rows: Knex.QueryBuilder,
  { usedAfter, usedUntil, begunAfter }: SessionBounds,
): Knex.QueryBuilder =>
  rows
    .where('last_used_at', '<=', usedAfter)
    .orWhere('last_used_at', '>', usedUntil)
    .orWhere('created_at', '<=', begunAfter);
