import type { PageLanguage } from '../i18n/language.js';
import { compareNames } from '../lib/collections.js';
import type { System } from '../lib/system.js';
import type { AuditAction, AuditEntry } from '../audit/auditTable.js';
import type { AccountNotice, NotifyUser } from './accountNotice.js';
import type { Role } from './roles.js';
import type { Identity, StoredUser, UserChange, UserConflict, UserTable } from './userTable.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import { checkNewPassword, generatePassword, type Passwords } from './passwords.js';
import { UserRefusal } from './refusal.js';
import { makeUserPasswords, type UserPasswords } from './userPasswords.js';
import { parseEmail, parseUserName, toLoginKey, toUserKey } from './names.js';
import { summarizeSites } from '../sites/siteScope.js';

/** A user, without anything secret. */
export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly language: string | null;
  readonly hasPassword: boolean;
  /** Somebody else has chosen the password, so it has to be changed. */
  readonly passwordIsTemporary: boolean;
  readonly hasSecondFactor: boolean;
  readonly disabledAt: number | null;
  readonly createdAt: number;
  readonly lastSignInAt: number | null;
  /** The sites assigned to staff and viewers. Administrators see all sites. */
  readonly siteIds: readonly number[];
}

/** What a new user is made of. */
export interface UserInput {
  readonly name: string;
  readonly email?: string | null;
  readonly role: Role;
  /** Null for somebody who only uses single sign-on. */
  readonly password: string | null;
  readonly passwordIsTemporary?: boolean;
  readonly language?: PageLanguage | null;
  readonly siteIds?: readonly number[];
}

/** What an administrator changes of a user. */
export interface UserUpdate {
  readonly name?: string;
  /** Null removes it. */
  readonly email?: string | null;
  readonly role?: Role;
  readonly siteIds?: readonly number[];
  readonly isDisabled?: boolean;
}

/** Changes users. All throw `UserRefusal`, and then nothing has changed. */
export interface Users extends UserPasswords {
  create(input: UserInput, actor: Actor): Promise<User>;
  /** Creates the first administrator. The token is the one of `FirstStart`. */
  createFirst(input: Omit<UserInput, 'role'>, tokenHash: string, actor: Actor): Promise<User>;
  /** Creates a user with a generated password, which has to be changed after the first sign-in. */
  createWithPassword(
    input: Omit<UserInput, 'password' | 'passwordIsTemporary'>,
    actor: Actor,
  ): Promise<{ readonly user: User; readonly password: string }>;
  list(): Promise<User[]>;
  /** Is there any user? */
  exist(): Promise<boolean>;
  /** Changes what is given, all of it or nothing. */
  update(id: number, update: UserUpdate, actor: Actor): Promise<void>;
  /** Finds a user by name or e-mail address. */
  findByName(name: string): Promise<User | undefined>;
  setRole(id: number, role: Role, actor: Actor): Promise<void>;
  disable(id: number, actor: Actor): Promise<void>;
  enable(id: number, actor: Actor): Promise<void>;
  /** Notes who somebody is at the identity provider, unless that is known. */
  setIdentity(id: number, identity: Identity, actor: Actor): Promise<void>;
  /**
   * Forgets it, and ends the user's sessions: the next one with their e-mail address may be somebody else.
   */
  resetIdentity(id: number, actor: Actor): Promise<void>;
  setSites(id: number, siteIds: readonly number[], actor: Actor): Promise<void>;
  /** Chooses the language of the pages. */
  setLanguage(id: number, language: PageLanguage): Promise<void>;
  find(id: number): Promise<User>;
  remove(id: number, actor: Actor): Promise<void>;
}

interface UsersDeps {
  readonly table: UserTable;
  readonly passwords: Passwords;
  readonly system: System;
  /** Called after each change, for what this process has cached. */
  readonly changed: () => void;
  readonly notify: NotifyUser;
}

export const makeUsers = ({ table, passwords, system, changed, notify }: UsersDeps): Users => {
  const add = async (input: UserInput, actor: Actor, tokenHash?: string): Promise<User> => {
    const name = parseUserName(input.name);
    const email = input.email ? parseEmail(input.email) : null;
    const { role, password, language = null, siteIds = [] } = input;
    if (password !== null) checkNewPassword(password, { name, email });
    const at = system.now();
    const id = await table.add(
      {
        name,
        nameKey: toUserKey(name),
        email,
        emailKey: email === null ? null : toUserKey(email),
        role,
        passwordHash: password === null ? null : await passwords.hash(password),
        passwordIsTemporary: input.passwordIsTemporary ?? false,
        language,
        createdAt: at,
      },
      siteIds,
      draftAudit(actor, 'user.create', at, { role }),
      tokenHash,
    );
    if (typeof id === 'string') throw new UserRefusal(id);
    changed();
    const user = await table.find(id);
    if (!user) throw new UserRefusal('unknown-user');
    return toUser(user, siteIds);
  };

  const change = async (id: number, decide: (user: StoredUser) => UserChange | undefined): Promise<void> => {
    assertDone(await table.change(id, decide));
    changed();
  };

  const draft = (actor: Actor, action: AuditAction, detail?: AuditEntry['detail']) =>
    draftAudit(actor, action, system.now(), detail);

  const setDisabled = async (id: number, isDisabled: boolean, actor: Actor): Promise<void> => {
    let changedUser: StoredUser | undefined;
    await change(id, (user) => {
      changedUser = (user.disabledAt !== null) === isDisabled ? undefined : user;
      return (
        changedUser && {
          values: { disabledAt: isDisabled ? system.now() : null },
          endsSessions: true,
          audit: draft(actor, isDisabled ? 'user.disable' : 'user.enable'),
        }
      );
    });
    if (changedUser) notify(...noticeOfDisabling(changedUser, isDisabled));
  };

  const hasOtherSitesThan = async (id: number, siteIds: readonly number[]): Promise<boolean> =>
    toSetKey(siteIds) !== toSetKey((await table.sites()).get(id) ?? []);

  return {
    create: (input, actor) => add(input, actor),
    createWithPassword: async (input, actor) => {
      const password = generatePassword(system);
      return { password, user: await add({ ...input, password, passwordIsTemporary: true }, actor) };
    },
    createFirst: (input, tokenHash, actor) => add({ ...input, role: 'admin' }, actor, tokenHash),
    list: async () => {
      const [users, sites] = await Promise.all([table.all(), table.sites()]);
      return users.map((user) => toUser(user, sites.get(user.id) ?? [])).sort(compareNames);
    },
    findByName: async (name) => {
      const [user, sites] = await Promise.all([table.findByKey(toLoginKey(name)), table.sites()]);
      return user && toUser(user, sites.get(user.id) ?? []);
    },
    exist: async () => (await table.count()) > 0,
    update: async (id, { siteIds, ...given }, actor) => {
      const asked: AskedUpdate = {
        ...given,
        siteIds,
        name: given.name === undefined ? undefined : parseUserName(given.name),
        email: given.email ? parseEmail(given.email) : given.email,
        hasOtherSites: siteIds !== undefined && (await hasOtherSitesThan(id, siteIds)),
      };
      let notices: readonly Notice[] = [];
      await change(id, (user) => {
        const decided = decideUpdate(user, asked, system.now());
        notices = decided.notices;
        return { ...decided.change, audit: draft(actor, 'user.change', decided.detail) };
      });
      for (const [user, notice] of notices) notify(user, notice);
    },
    setRole: async (id, role, actor) => {
      let changedUser: StoredUser | undefined;
      await change(id, (user) => {
        changedUser = user.role === role ? undefined : user;
        return (
          changedUser && {
            values: { role },
            endsSessions: true,
            audit: draft(actor, 'user.role', { from: user.role, to: role }),
          }
        );
      });
      if (changedUser) notify(changedUser, { kind: 'role-changed', role });
    },
    disable: (id, actor) => setDisabled(id, true, actor),
    enable: (id, actor) => setDisabled(id, false, actor),
    ...makeUserPasswords({ table, passwords, system, notify, change }),
    setIdentity: (id, identity, actor) =>
      change(id, ({ subject }) =>
        subject === null
          ? { values: identity, endsSessions: false, audit: draft(actor, 'user.single-sign-on') }
          : undefined,
      ),
    resetIdentity: (id, actor) =>
      change(id, ({ subject }) => {
        if (subject === null) throw new UserRefusal('no-single-sign-on');
        return {
          values: { issuer: null, subject: null },
          endsSessions: true,
          audit: draft(actor, 'user.single-sign-on-reset'),
        };
      }),
    setSites: async (id, siteIds, actor) => {
      const hasOtherSites = await hasOtherSitesThan(id, siteIds);
      let changedUser: StoredUser | undefined;
      await change(id, (user) => {
        changedUser = user;
        return {
          siteIds,
          endsSessions: false,
          audit: draft(actor, 'user.sites', { sites: summarizeSites(siteIds) }),
        };
      });
      if (changedUser && hasOtherSites && changedUser.role !== 'admin')
        notify(changedUser, { kind: 'sites-changed' });
    },
    setLanguage: (id, language) =>
      change(id, (user) =>
        user.language === language ? undefined : { values: { language }, endsSessions: false, audit: null },
      ),
    find: async (id) => {
      const [user, sites] = await Promise.all([table.find(id), table.sites()]);
      if (!user) throw new UserRefusal('unknown-user');
      return toUser(user, sites.get(id) ?? []);
    },
    remove: async (id, actor) => {
      assertDone(await table.remove(id, draft(actor, 'user.remove')));
      changed();
    },
  };
};

/** An update with its values parsed. */
interface AskedUpdate extends Omit<UserUpdate, 'name' | 'email' | 'siteIds'> {
  readonly name: string | undefined;
  readonly email: string | null | undefined;
  readonly siteIds: readonly number[] | undefined;
  readonly hasOtherSites: boolean;
}

/** Somebody who is told of a change. */
type Notice = [StoredUser, AccountNotice];

/** What an update changes of a user, what the audit log says of it, and what the user is told. */
const decideUpdate = (
  user: StoredUser,
  { name, email, role, siteIds, isDisabled, hasOtherSites }: AskedUpdate,
  now: number,
): { change: Omit<UserChange, 'audit'>; detail: AuditEntry['detail']; notices: Notice[] } => {
  const notices: Notice[] = [];
  const rights = {
    ...(role !== undefined && role !== user.role && { role }),
    ...(isDisabled !== undefined &&
      isDisabled !== (user.disabledAt !== null) && {
        disabledAt: isDisabled ? (user.disabledAt ?? now) : null,
      }),
  };
  const isRenamed = name !== undefined && name !== user.name;
  // An empty text removes the address.
  const hasOtherEmail = email !== undefined && (email || null) !== user.email;
  if (hasOtherEmail) notices.push([user, { kind: 'email-changed' }]);
  const after = { ...user, ...(hasOtherEmail && { email: email || null }) };
  if (rights.disabledAt !== undefined) notices.push(noticeOfDisabling(after, rights.disabledAt !== null));
  // Who is disabled has no rights that could be others.
  else if (rights.role) notices.push([after, { kind: 'role-changed', role: rights.role }]);
  else if (hasOtherSites && user.role !== 'admin') notices.push([after, { kind: 'sites-changed' }]);
  return {
    change: {
      values: {
        ...rights,
        ...(isRenamed && { name, nameKey: toUserKey(name) }),
        ...(hasOtherEmail && { email: email || null, emailKey: email ? toUserKey(email) : null }),
      },
      ...(siteIds && { siteIds }),
      endsSessions: Object.keys(rights).length > 0,
    },
    detail: {
      ...(isRenamed && { formerName: user.name }),
      ...(hasOtherEmail && { email: email || null, formerEmail: user.email }),
      ...(rights.role && { from: user.role, to: rights.role }),
      ...(rights.disabledAt !== undefined && { disabled: rights.disabledAt !== null }),
      ...(siteIds && { sites: summarizeSites(siteIds) }),
    },
    notices,
  };
};

/** Throws the refusal that an outcome stands for. */
export const assertDone = (outcome: 'changed' | 'unchanged' | 'removed' | UserConflict): void => {
  if (outcome !== 'changed' && outcome !== 'unchanged' && outcome !== 'removed')
    throw new UserRefusal(outcome);
};

/** A user as others may see them. */
export const toUser = (user: StoredUser, siteIds: readonly number[]): User => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  language: user.language,
  hasPassword: user.passwordHash !== null,
  passwordIsTemporary: user.passwordIsTemporary,
  hasSecondFactor: user.sealedTotpSecret !== null,
  disabledAt: user.disabledAt,
  createdAt: user.createdAt,
  lastSignInAt: user.lastSignInAt,
  siteIds: [...new Set(siteIds)].sort((a, b) => a - b),
});

/** Nothing else is sent to somebody who is disabled. */
const noticeOfDisabling = (user: StoredUser, isDisabled: boolean): Notice => [
  { ...user, disabledAt: null },
  { kind: 'disabled-changed', isDisabled },
];

/** The same for the same ids, whatever their order. */
const toSetKey = (ids: readonly number[]): string => [...new Set(ids)].sort((a, b) => a - b).join();
