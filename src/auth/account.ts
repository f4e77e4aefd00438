import type { PageLanguage } from '../i18n/language.js';
import { Problem } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import type { SettingTable } from './signInRuleTable.js';
import type { StoredUser, UserTable } from '../users/userTable.js';
import type { Actor } from '../audit/audit.js';
import { isHashable, type Passwords } from '../users/passwords.js';
import { UserRefusal } from '../users/refusal.js';
import type { Enrolment, SecondFactor } from './secondFactor.js';
import type { Client, NewSession, Sessions, SignedInUser } from './sessions.js';
import type { Attempt, SignInThrottle } from './signInThrottle.js';
import type { Users } from '../users/users.js';

/**
 * What people who are signed in do for themselves. What protects the account asks for the password again, so
 * that it can't be done at a browser that was left open. Wrong ones count against the session: nobody else
 * can use these up.
 */
export interface UserAccount {
  setLanguage(who: SignedInUser, language: PageLanguage): Promise<void>;
  /** Is the current password needed to change it? */
  asksCurrentPassword(who: SignedInUser): boolean;
  /** The current password may be missing where `asksCurrentPassword` is false. */
  changePassword(
    who: SignedInUser,
    passwords: { readonly current?: string | undefined; readonly password: string },
    client: Client,
  ): Promise<NewSession>;
  beginSecondFactor(who: SignedInUser, current: string): Promise<Enrolment>;
  confirmSecondFactor(
    who: SignedInUser,
    code: string,
    client: Client,
  ): Promise<NewSession & { readonly recoveryCodes: readonly string[] }>;
  removeSecondFactor(who: SignedInUser, current: string, client: Client): Promise<NewSession>;
  renewRecoveryCodes(who: SignedInUser, current: string, client: Client): Promise<string[]>;
}

interface AccountDeps {
  readonly table: UserTable;
  readonly settings: SettingTable;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly secondFactor: SecondFactor;
  readonly sessions: Sessions;
  readonly throttle: SignInThrottle;
  readonly system: System;
  reportUnknownHash(userId: number): void;
}

/** For so long after a sign-in, nobody else is assumed to sit at the browser. */
const freshSignInMs = 15 * 60_000;

export const makeUserAccount = (deps: AccountDeps): UserAccount => {
  const { table, settings, users, passwords, secondFactor, sessions, throttle, system } = deps;

  const findUser = async ({ user: { id } }: SignedInUser): Promise<StoredUser> => {
    const stored = await table.find(id);
    if (!stored) throw new UserRefusal('unknown-user');
    return stored;
  };

  /** Counts an attempt, before it is made. `takeBack` is for one that was right. */
  const countAttempt = async ({ session: { id } }: SignedInUser): Promise<Attempt> => {
    const attempt = await throttle.count({ kind: 'session', id });
    if (attempt.accepted) return attempt;
    const seconds = String(attempt.retryAfterSeconds);
    throw new Problem('rate_limited', { seconds }, { 'Retry-After': seconds });
  };

  const confirmPassword = async (who: SignedInUser, current: string): Promise<StoredUser> => {
    const user = await findUser(who);
    if (user.passwordHash === null) throw new UserRefusal('no-password');
    const attempt = await countAttempt(who);
    const isRight =
      isHashable(current) &&
      (await passwords.verify(current, user.passwordHash, {
        onUnknownForm: () => deps.reportUnknownHash(user.id),
        replaceImported: (hash) => table.replaceHash(user, hash),
      }));
    if (!isRight) throw new UserRefusal('password-wrong');
    await attempt.takeBack();
    return user;
  };

  /** Not while the one that was typed at the sign-in is still fresh, and has to be replaced by another. */
  const asksCurrentPassword = ({ user, session }: SignedInUser): boolean => {
    const age = system.now() - session.createdAt;
    return !user.passwordIsTemporary || age < 0 || age >= freshSignInMs;
  };

  /**
   * After a change that has ended all sessions of the user, and unless somebody else has made another one
   * since.
   */
  const beginAgain = async (
    before: StoredUser,
    client: Client,
    options: { readonly secondFactor: boolean },
  ): Promise<NewSession> => {
    const changed = { ...before, signInVersion: before.signInVersion + 1 };
    const begun = await sessions.begin(changed, client, options);
    if (!begun) throw new UserRefusal('unknown-user');
    return begun;
  };

  return {
    setLanguage: ({ user: { id } }, language) => users.setLanguage(id, language),
    asksCurrentPassword,
    changePassword: async (who, { current, password }, client) => {
      if (current === undefined && asksCurrentPassword(who))
        throw new UserRefusal('current-password-missing');
      const user = current === undefined ? await findUser(who) : await confirmPassword(who, current);
      await users.setPassword(user.id, password, actorOf(who, client), user.signInVersion);
      return beginAgain(user, client, who.session);
    },
    beginSecondFactor: async (who, current) => {
      const { id } = await confirmPassword(who, current);
      return secondFactor.begin(id);
    },
    confirmSecondFactor: async (who, code, client) => {
      const user = await findUser(who);
      const attempt = await countAttempt(who);
      const recoveryCodes = await secondFactor.confirm(who.user.id, code, actorOf(who, client));
      await attempt.takeBack();
      return { recoveryCodes, ...(await beginAgain(user, client, { secondFactor: true })) };
    },
    removeSecondFactor: async (who, current, client) => {
      const user = await confirmPassword(who, current);
      const { secondFactorRoles } = await settings.signInRules();
      if (secondFactorRoles.includes(user.role)) throw new UserRefusal('second-factor-required');
      await secondFactor.reset(user.id, actorOf(who, client));
      return beginAgain(user, client, { secondFactor: false });
    },
    renewRecoveryCodes: async (who, current, client) => {
      const { id } = await confirmPassword(who, current);
      return secondFactor.renewRecoveryCodes(id, actorOf(who, client));
    },
  };
};

/** Who does something in the pages, for the audit log. */
export const actorOf = ({ user }: SignedInUser, { address }: Pick<Client, 'address'>): Actor => ({
  kind: 'user',
  name: user.name,
  address,
});
