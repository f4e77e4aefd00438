import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach } from '@jest/globals';
import type { AuditEntry } from '../../src/audit/auditTable.js';
import type { SignInResult } from '../../src/auth/signIn.js';
import type { User } from '../../src/users/users.js';
import {
  goodPassword,
  makeAuthFixture,
  someActor,
  someClient,
  someUser,
  type AuthFixture,
} from '../support/authFixture.js';
import type { MakeDatabase } from '../support/databases.js';

/** How often somebody guesses. */
export const attempts = 200;
export const minuteMs = 60_000;

/** Too long for a password, so that it is refused without any work. */
export const tooLong = 'x'.repeat(2000);

/** How many of the results there are of each outcome. */
export const outcomesOf = (results: readonly SignInResult[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

export const addressOf = (index: number): string => `10.1.${index >> 8}.${index & 255}`;

const cheapHash = (password: string): string => {
  const salt = Buffer.alloc(16, 1);
  const key = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  return `$scrypt$ln=10,r=8,p=1$${salt.toString('base64')}$${key.toString('base64')}`;
};

/** Anna, who can sign in. It may be used in hooks and tests only. */
export interface SignInFixture {
  readonly auth: AuthFixture;
  readonly anna: User;
  signIn(login: string, password: string, address?: string, code?: string): Promise<SignInResult>;
  /** What the audit log says of refused attempts. */
  refusals(): Promise<readonly AuditEntry[]>;
}

/** A user on a database of its own, for each test of a block. */
export const withAnna = (make: MakeDatabase): SignInFixture => {
  let current: { auth: AuthFixture; anna: User } | undefined;
  const get = (): { auth: AuthFixture; anna: User } => {
    if (!current) throw new Error('withAnna(): there is a database only in hooks and tests');
    return current;
  };
  beforeEach(async () => {
    const auth = await makeAuthFixture(make);
    const anna = await auth.users.create(someUser({ name: 'Anna', email: 'anna@example.org' }), someActor);
    // A hash of low cost, as an earlier version may have made it, spares the tests most of the work.
    const values = { passwordHash: cheapHash(goodPassword) };
    await auth.tables.users.change(anna.id, () => ({ values, endsSessions: true, audit: null }));
    current = { auth, anna };
  });
  afterEach(async () => {
    await current?.auth.remove();
    current = undefined;
  });
  return {
    get auth() {
      return get().auth;
    },
    get anna() {
      return get().anna;
    },
    signIn: (login, password, address, code) =>
      get().auth.signIn({ login, password, code }, someClient(address)),
    refusals: async () => {
      const actions = ['user.sign-in-refused', 'user.sign-in-throttled'] as const;
      return (await get().auth.audit.search({ actions }, { limit: 500 })).entries;
    },
  };
};
