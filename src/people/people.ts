import { makeWindowCounter } from '../access/rateLimiter.js';
import type { Log } from '../lib/log.js';
import type { System } from '../lib/system.js';
import { writeWithCurrentKey } from '../secrets/rotation.js';
import { openStoredSecrets, type SecretKeySource } from '../secrets/secretKey.js';
import type { Database } from '../storage/database.js';
import type { Storage } from '../storage/storage.js';
import { makeAudit, type Audit } from './audit.js';
import { makeFirstStart, type FirstStart } from './firstStart.js';
import { makePasswords, type Passwords, type ScryptCost } from './passwords.js';
import { makeRefusedSignIns } from './refusedSignIns.js';
import { makeSecondFactor, type SecondFactor } from './secondFactor.js';
import { makeSessions, type Sessions } from './sessions.js';
import { makeSignIn, type SignIn } from './signIn.js';
import { makeSignInThrottle, throttleWindowMs } from './signInThrottle.js';
import { makeUsers, type Users } from './users.js';

/** The users of the pages, and what they do. */
export interface People {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly signIn: SignIn;
  readonly firstStart: FirstStart;
  readonly audit: Audit;
}

interface PeopleDeps {
  readonly database: Database;
  readonly storage: Storage;
  readonly system: System;
  readonly log: Log;
  readonly keySource: SecretKeySource;
  /** What hashing a password costs. */
  readonly passwordCost?: ScryptCost | undefined;
}

/** Puts the parts together. Processes on one database agree within a second. */
export const makePeople = (deps: PeopleDeps): People => {
  const { database, storage, system, log, keySource, passwordCost } = deps;
  const { revisions, sealed } = storage;
  const passwords = makePasswords(system, passwordCost);
  const sessions = makeSessions({ table: storage.sessions, revisions, system, log });
  const changed = sessions.forget;
  const users = makeUsers({ table: storage.users, passwords, system, changed });
  const secondFactor = makeSecondFactor({
    users: storage.users,
    recoveryCodes: storage.recoveryCodes,
    system,
    secrets: () => openStoredSecrets(keySource, system),
    writeSealed: async (write) => {
      // A new key must not take the place of a missing one.
      const mayCreate = (await sealed.all()).length === 0;
      return writeWithCurrentKey(keySource, { reseal: sealed.reseal, mayCreate }, write, system);
    },
    changed,
  });
  const signIn = makeSignIn({
    users: storage.users,
    passwords,
    secondFactor,
    sessions,
    throttle: makeSignInThrottle(makeWindowCounter(database, system, throttleWindowMs)),
    record: makeRefusedSignIns(storage.auditLog, system).record,
  });
  return {
    users,
    passwords,
    sessions,
    secondFactor,
    signIn,
    firstStart: makeFirstStart(storage.setupTokens, users, system),
    audit: makeAudit(storage.auditLog, system),
  };
};
