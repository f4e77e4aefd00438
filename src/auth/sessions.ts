import { toStoredLine } from '../lib/label.js';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Log } from '../log/log.js';
import type { System } from '../lib/system.js';
import type { Revisions } from '../database/revisions.js';
import type { SessionBounds, SessionOfUser, SessionTable, StoredSession } from './sessionTable.js';
import type { StoredUser } from '../users/userTable.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import { toUser, type User } from '../users/users.js';

/** A session of a user who is signed in. */
export type Session = Omit<StoredSession, 'userId'>;

export interface SignedInUser {
  readonly user: User;
  readonly session: Session;
}

/** Where a sign-in comes from. */
export interface Client {
  readonly address: string;
  /** What the browser says of itself. */
  readonly browser: string | null;
  /** What it keeps from an earlier sign-in. */
  readonly browserToken?: string | undefined;
}

/** What a browser gets when somebody has signed in. */
export interface NewSession {
  readonly token: string;
  /** By which the browser is known from now on. */
  readonly browserToken?: string | undefined;
}

export interface Sessions {
  /**
   * Begins a session, and returns its token, once. Undefined when the user was changed since they were read.
   */
  begin(
    user: StoredUser,
    client: Client,
    options: { readonly secondFactor: boolean },
  ): Promise<{ readonly token: string } | undefined>;
  /** The user who is signed in with this token, if there is one. Notes the use. */
  find(token: string): Promise<SignedInUser | undefined>;
  /** The sessions of a user that have not ended, the last used first. */
  list(userId: number): Promise<Session[]>;
  /** Ends one session of a user. Returns false when they have no such session. */
  end(user: Pick<User, 'id' | 'name'>, sessionId: string, actor: Actor): Promise<boolean>;
  /** Ends all sessions of a user and returns how many there were. */
  endAll(user: Pick<User, 'id' | 'name'>, actor: Actor): Promise<number>;
  /** Forgets what is cached: users or sessions were changed. */
  forget(): void;
}

interface SessionsDeps {
  readonly table: SessionTable;
  readonly revisions: Revisions;
  readonly system: System;
  readonly log: Log;
}

const hourMs = 3_600_000;
const idleTimeoutMs = 12 * hourMs;
export const maxSessionAgeMs = 30 * 24 * hourMs;
const noteUseEveryMs = 60_000;
/** A session that another process ends is refused within a second. */
const checkRevisionEveryMs = 500;
/** The oldest ones beyond it end. */
const maxSessionsPerUser = 50;
const maxCachedSessions = 10_000;
const maxBrowserLength = 300;
const maxAddressLength = 100;

const tokenFormat = /^[\w-]{43}$/;

interface CachedSession extends SignedInUser {
  lastUsedAt: number;
  notedAt: number;
}

/** Sessions, cached until the revision of the users changes in the database. */
export const makeSessions = ({ table, revisions, system, log }: SessionsDeps): Sessions => {
  const cache = new LRUCache<string, CachedSession>({ maxSize: maxCachedSessions, sizeCalculation: () => 1 });
  let revision = -1;
  let checkedAt = -Infinity;
  let generation = 0;

  const forget = (): void => {
    generation += 1;
    cache.clear();
  };

  const checkRevision = async (): Promise<void> => {
    const now = system.now();
    // Also when the clock was set back.
    if (Math.abs(now - checkedAt) < checkRevisionEveryMs) return;
    const current = await revisions.current('people');
    if (current !== revision) forget();
    revision = current;
    checkedAt = now;
  };

  const load = async (id: string): Promise<CachedSession | undefined> => {
    const began = generation;
    const found = await table.find(id);
    if (!found) return undefined;
    const cached = toCachedSession(found);
    // What was read before a change must not be cached after it.
    if (began === generation) cache.set(id, cached);
    return cached;
  };

  const hasEnded = ({ session: { createdAt }, lastUsedAt }: CachedSession): boolean =>
    !isWithin({ createdAt, lastUsedAt }, sessionBoundsAt(system.now()));

  const noteUse = (id: string, cached: CachedSession): void => {
    const now = system.now();
    cached.lastUsedAt = now;
    if (Math.abs(now - cached.notedAt) < noteUseEveryMs) return;
    cached.notedAt = now;
    table.noteUse(id, now).catch((error: unknown) => {
      log.warn({ err: error }, 'last use of a session was not noted');
    });
  };

  return {
    begin: async (user, { address, browser }, { secondFactor }) => {
      const token = Buffer.from(system.randomBytes(32)).toString('base64url');
      const now = system.now();
      const from = toStoredLine(address, maxAddressLength);
      const begun = await table.begin(
        {
          id: toSessionId(token),
          userId: user.id,
          createdAt: now,
          lastUsedAt: now,
          address: from,
          browser: browser === null ? null : toStoredLine(browser, maxBrowserLength),
          secondFactor,
        },
        user,
        maxSessionsPerUser,
        draftAudit({ kind: 'user', name: user.name, address: from }, 'user.sign-in', now, { secondFactor }),
      );
      return begun ? { token } : undefined;
    },
    find: async (token) => {
      if (!tokenFormat.test(token)) return undefined;
      const id = toSessionId(token);
      await checkRevision();
      let cached = cache.get(id);
      // Another process may have noted a later use.
      if (!cached || hasEnded(cached)) cached = await load(id);
      if (!cached || hasEnded(cached)) return undefined;
      noteUse(id, cached);
      return { user: cached.user, session: { ...cached.session, lastUsedAt: cached.lastUsedAt } };
    },
    list: async (userId) => {
      const bounds = sessionBoundsAt(system.now());
      return (await table.ofUser(userId)).filter((session) => isWithin(session, bounds)).map(toSession);
    },
    end: async (user, sessionId, actor) => {
      const action = actor.kind === 'user' && actor.name === user.name ? 'user.sign-out' : 'session.end';
      const ended = await table.end(user, [sessionId], draftAudit(actor, action, system.now()));
      forget();
      return ended > 0;
    },
    endAll: async (user, actor) => {
      const ended = await table.end(
        user,
        'all',
        draftAudit(actor, 'session.end', system.now(), { all: true }),
      );
      forget();
      return ended;
    },
    forget,
  };
};

/**
 * Which sessions have not ended at a time. What lies too far ahead was written before the clock was set back.
 */
export const sessionBoundsAt = (now: number): SessionBounds => ({
  usedAfter: now - idleTimeoutMs,
  usedUntil: now + idleTimeoutMs,
  begunAfter: now - maxSessionAgeMs,
});

const isWithin = (
  { createdAt, lastUsedAt }: Pick<StoredSession, 'createdAt' | 'lastUsedAt'>,
  { usedAfter, usedUntil, begunAfter }: SessionBounds,
): boolean => lastUsedAt > usedAfter && lastUsedAt <= usedUntil && createdAt > begunAfter;

const toSessionId = (token: string): string => hash('sha256', token, 'hex');

const toSession = ({ userId: _, ...session }: StoredSession): Session => session;

const toCachedSession = ({ session, user, siteIds }: SessionOfUser): CachedSession => ({
  session: toSession(session),
  user: toUser(user, siteIds),
  lastUsedAt: session.lastUsedAt,
  notedAt: session.lastUsedAt,
});
