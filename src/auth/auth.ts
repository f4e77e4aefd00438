import type { SingleSignOnConfig } from '../config/singleSignOnEnvironment.js';
import { makeWindowCounter } from '../rateLimit/windowCounter.js';
import type { Log } from '../log/log.js';
import type { System } from '../lib/system.js';
import { openStoredSecrets, type SecretKeySource } from '../secrets/secretKey.js';
import { makeRotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { Database } from '../database/database.js';
import type { SignInRules, SettingTable } from './signInRuleTable.js';
import { makeUserAccount, type UserAccount } from './account.js';
import { draftAudit, makeAudit, type Actor, type Audit } from '../audit/audit.js';
import { makeAccountTokens, type AccountTokens } from './accountTokens.js';
import {
  forgottenPasswordWindowMs,
  makeForgottenPassword,
  type ForgottenPassword,
} from './forgottenPassword.js';
import type { NotifyUser } from '../users/accountNotice.js';
import type { AccountTokenTable } from '../users/accountTokenTable.js';
import { makeKnownBrowsers } from './knownBrowsers.js';
import { makePasswords, type Passwords, type ScryptCost } from '../users/passwords.js';
import { makeRefusedSignIns } from './refusedSignIns.js';
import { makeSecondFactor, type SecondFactor } from './secondFactor.js';
import { makeSessions, type Sessions } from './sessions.js';
import { makeSignIn, type SignIn } from './signIn.js';
import { makeSignInThrottle, throttleWindowMs } from './signInThrottle.js';
import { makeCurrentSingleSignOn, makeSingleSignOn, type SingleSignOn } from './singleSignOn.js';
import { makeUsers, type Users, type User, type UserInput } from '../users/users.js';
import type { AuditLogTable } from '../audit/auditTable.js';
import type { KnownBrowserTable } from './knownBrowserTable.js';
import type { RecoveryCodeTable } from '../users/recoveryCodeTable.js';
import type { Revisions } from '../database/revisions.js';
import type { SealedValues } from '../secrets/sealedValueTable.js';
import type { SessionTable } from './sessionTable.js';
import type { SetupTokenTable } from '../users/setupTokenTable.js';
import type { UserTable } from '../users/userTable.js';
import { hash } from 'node:crypto';
import { UserRefusal } from '../users/refusal.js';

/** What administrators require of a sign-in. */
export interface SignInRuleStore {
  get(): Promise<SignInRules>;
  set(rules: SignInRules, actor: Actor): Promise<void>;
}

/** The users of the pages, and what they do. */
export interface Auth {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly signIn: SignIn;
  readonly firstStart: FirstStart;
  readonly audit: Audit;
  readonly tokens: AccountTokens;
  readonly forgottenPassword: ForgottenPassword;
  readonly account: UserAccount;
  readonly signInRules: SignInRuleStore;
  /** Resolves to undefined without a provider. */
  singleSignOn(): Promise<SingleSignOn | undefined>;
}

/** The tables of users and of how they sign in. */
export interface AuthTables {
  readonly users: UserTable;
  readonly sessions: SessionTable;
  readonly recoveryCodes: RecoveryCodeTable;
  readonly knownBrowsers: KnownBrowserTable;
  readonly setupTokens: SetupTokenTable;
  readonly accountTokens: AccountTokenTable;
  readonly settings: SettingTable;
  readonly auditLog: AuditLogTable;
  readonly sealed: SealedValues;
  readonly revisions: Revisions;
}

interface AuthDeps {
  readonly database: Database;
  readonly tables: AuthTables;
  readonly system: System;
  readonly log: Log;
  readonly keySource: SecretKeySource;
  /** What hashing a password costs. */
  readonly passwordCost?: ScryptCost | undefined;
  /** The provider; the same object until something of it changes. */
  singleSignOn?(): Promise<SingleSignOnConfig | undefined>;
  /** Tells users what happens to their accounts; without it nobody is told. */
  readonly notify?: NotifyUser | undefined;
}

/** Puts the parts together. Processes on one database agree within a second. */
export const makeAuth = (deps: AuthDeps): Auth => {
  const { database, tables, system, log, keySource, passwordCost } = deps;
  const { revisions, sealed } = tables;
  const passwords = makePasswords(system, passwordCost);
  const sessions = makeSessions({ table: tables.sessions, revisions, system, log });
  const changed = sessions.forget;
  const notify: NotifyUser = deps.notify ?? (() => undefined);
  const users = makeUsers({ table: tables.users, passwords, system, changed, notify });
  const tokens = makeAccountTokens(tables.accountTokens, system);
  const secrets = () => openStoredSecrets(keySource, system);
  const writeSealed = makeRotationSafeWriter(keySource, sealed, system).replace;
  const secondFactor = makeSecondFactor({
    users: tables.users,
    recoveryCodes: tables.recoveryCodes,
    system,
    secrets,
    writeSealed,
    changed,
    notify,
  });
  const knownBrowsers = makeKnownBrowsers(tables.knownBrowsers, system);
  const makeCounter = () => makeWindowCounter(database, system, throttleWindowMs);
  const throttle = makeSignInThrottle({ known: makeCounter(), others: makeCounter() });
  const { record } = makeRefusedSignIns(tables.auditLog, system);
  const reportUnknownHash = makeReportUnknownHash(log);
  const signIn = makeSignIn({
    users: tables.users,
    passwords,
    secondFactor,
    sessions,
    knownBrowsers,
    throttle,
    record,
    reportUnknownHash,
    notify,
  });
  return {
    users,
    tokens,
    forgottenPassword: makeForgottenPassword({
      table: tables.users,
      users,
      tokens,
      notify,
      counter: makeWindowCounter(database, system, forgottenPasswordWindowMs),
    }),
    passwords,
    sessions,
    secondFactor,
    signIn,
    firstStart: makeFirstStart(tables.setupTokens, users, system),
    audit: makeAudit(tables.auditLog, system),
    account: makeUserAccount({
      table: tables.users,
      settings: tables.settings,
      users,
      passwords,
      secondFactor,
      sessions,
      throttle,
      system,
      reportUnknownHash,
    }),
    singleSignOn: makeCurrentSingleSignOn(
      () => deps.singleSignOn?.() ?? Promise.resolve(undefined),
      (config) =>
        makeSingleSignOn({
          config,
          table: tables.users,
          users,
          sessions,
          system,
          log,
          secrets,
          writeSealed,
          knownBrowsers,
          throttle,
          record,
          notify,
        }),
    ),
    signInRules: {
      get: tables.settings.signInRules,
      set: async (rules, actor) => {
        const detail = { secondFactor: rules.secondFactorRoles.join(', ') };
        await tables.settings.setSignInRules(
          rules,
          draftAudit(actor, 'sign-in-rules.change', system.now(), detail),
        );
        changed();
      },
    },
  };
};

/** Once for each user: they may try again and again. */
const makeReportUnknownHash = (log: Log) => {
  const reported = new Set<number>();
  return (userId: number): void => {
    if (reported.has(userId)) return;
    reported.add(userId);
    log.error(
      { user: userId },
      'the stored password hash of this user has an unknown form, so nobody can sign in with it: give them another password, in the pages or with `voucherd user reset-password`',
    );
  };
};

/** Creates the first administrator, for somebody who can read the terminal of the service. */
interface FirstStart {
  /** Makes a token for the first administrator; undefined once there is a user. Earlier tokens stay valid. */
  begin(): Promise<{ readonly token: string; readonly expiresAt: number } | undefined>;
  /** Creates the first administrator, once, whichever process has made the token. */
  create(
    token: string,
    input: Pick<UserInput, 'name' | 'email' | 'language'> & { readonly password: string },
    address: string,
  ): Promise<User>;
}

const makeFirstStart = (table: SetupTokenTable, users: Users, system: System): FirstStart => ({
  begin: async () => {
    const token = Buffer.from(system.randomBytes(32)).toString('base64url');
    const expiresAt = await table.add(hashToken(token), system.now());
    return expiresAt === undefined ? undefined : { token, expiresAt };
  },
  create: async (token, input, address) => {
    if (!(await table.isValid(hashToken(token), system.now()))) throw new UserRefusal('setup-refused');
    const actor: Actor = { kind: 'system', name: 'first start', address };
    return users.createFirst(input, hashToken(token), actor);
  },
});

const hashToken = (token: string): string => hash('sha256', token, 'hex');
