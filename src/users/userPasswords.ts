import type { System } from '../lib/system.js';
import type { AuditAction } from '../audit/auditTable.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { NotifyUser } from './accountNotice.js';
import { checkNewPassword, generatePassword, type Passwords } from './passwords.js';
import { UserRefusal } from './refusal.js';
import type { StoredUser, UserChange, UserTable } from './userTable.js';

/** Sets the passwords of users. All throw `UserRefusal`, and then nothing has changed. */
export interface UserPasswords {
  /**
   * With a `signInVersion`, only if the user was not changed in a way that ends sessions since it was read.
   */
  setPassword(id: number, password: string, actor: Actor, signInVersion?: number): Promise<void>;
  /** Sets the password of somebody who has a token: its hash is given. */
  choosePassword(id: number, password: string, actor: Actor, tokenHash: string): Promise<void>;
  /** Removes the password of somebody who signs in elsewhere. */
  removePassword(id: number, actor: Actor): Promise<void>;
  /** Sets a generated password, which has to be changed after the next sign-in, and returns it. */
  resetPassword(id: number, actor: Actor): Promise<string>;
}

interface PasswordChange {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly signInVersion?: number | undefined;
  readonly tokenHash?: string | undefined;
}

interface UserPasswordsDeps {
  readonly table: Pick<UserTable, 'find'>;
  readonly passwords: Passwords;
  readonly system: System;
  readonly notify: NotifyUser;
  change(id: number, decide: (user: StoredUser) => UserChange | undefined): Promise<void>;
}

export const makeUserPasswords = (deps: UserPasswordsDeps): UserPasswords => {
  const { table, passwords, system, notify, change } = deps;

  const storePassword = async (
    id: number,
    password: string,
    passwordIsTemporary: boolean,
    { actor, action, signInVersion, tokenHash }: PasswordChange,
  ): Promise<void> => {
    const user = await table.find(id);
    if (!user) throw new UserRefusal('unknown-user');
    checkNewPassword(password, user);
    const passwordHash = await passwords.hash(password);
    await change(id, (current) => {
      // Somebody who confirmed an old password must not undo a reset that came in between.
      if (signInVersion !== undefined && current.signInVersion !== signInVersion)
        throw new UserRefusal('password-wrong');
      return {
        values: { passwordHash, passwordIsTemporary },
        endsSessions: true,
        tokenHash,
        audit: draftAudit(actor, action, system.now()),
      };
    });
    // Somebody who chooses their first one knows it.
    if (!user.passwordIsTemporary) notify(user, { kind: 'password-changed' });
  };

  return {
    setPassword: (id, password, actor, signInVersion) =>
      storePassword(id, password, false, { actor, action: 'user.password', signInVersion }),
    choosePassword: (id, password, actor, tokenHash) =>
      storePassword(id, password, false, { actor, action: 'user.password', tokenHash }),
    removePassword: (id, actor) =>
      change(id, ({ passwordHash }) =>
        passwordHash === null
          ? undefined
          : {
              values: { passwordHash: null, passwordIsTemporary: false },
              endsSessions: false,
              audit: draftAudit(actor, 'user.password', system.now(), { removed: true }),
            },
      ),
    resetPassword: async (id, actor) => {
      const password = generatePassword(system);
      await storePassword(id, password, true, { actor, action: 'user.password-reset' });
      return password;
    },
  };
};
