import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { nodeSystem } from '../../../src/lib/system.js';
import type { Role } from '../../../src/users/roles.js';
import type { CredentialSource } from '../../../tools/contract/src/target/credentialSource.js';
import { runActor, type Administration } from './administration.js';

/** The password of every user of the run: the one that the contract's examples have. */
export const runPassword = 'correct battery 47';

export interface RunUser {
  readonly id: number;
  readonly name: string;
}

/** Adds a user of the pages, with a second factor, so that they are let in whatever the rules of sign-in are. */
export const addUser = async (
  administration: Administration,
  role: Role,
  siteIds: readonly number[] = role === 'admin' ? [] : [1],
): Promise<RunUser> => {
  const { auth } = administration;
  const name = `Contract ${randomUUID()}`;
  const { id } = await auth.users.create({ name, role, password: runPassword, siteIds }, runActor);
  const { secret } = await auth.secondFactor.begin(id);
  await auth.secondFactor.confirm(id, codeOf(secret), runActor);
  return { id, name };
};

/** The code that an authenticator app shows now. */
export const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Begins a session of a user, and returns its token. */
export const beginSession = async ({ auth, tables }: Administration, { id }: Pick<RunUser, 'id'>) => {
  const stored = await tables.users.find(id);
  const client = { address: '127.0.0.1', browser: 'contract run' };
  const begun = stored && (await auth.sessions.begin(stored, client, { secondFactor: true }));
  if (!begun) throw new Error('the user of the run is gone');
  return begun.token;
};

const monthMs = 31 * 86_400_000;

/** The sessions of the pages, each of a user of its own. */
export const webSessions: CredentialSource = {
  canEnd: true,
  state: ({ tables }) => tables.revisions.latest('people'),
  sameOriginOnly: true,
  // What needs no session reads one of the others. The branding may be remembered, but only for its revision.
  neededTables: ['sessions', 'users', 'setup_tokens', 'kiosks', 'brand_pictures', 'revisions'],
  add: async ({ administration }, { scope, revoked = false, expired = false }) => {
    const user = await addUser(administration, scope as Role);
    const token = await beginSession(administration, user);
    if (revoked) await administration.auth.sessions.endAll(user, runActor);
    if (expired)
      await administration.database
        .write('sessions')
        .where({ user_id: user.id })
        .update({ last_used_at: nodeSystem.now() - monthMs });
    return { text: () => token, scope, limit: 0 };
  },
  revoke: async ({ administration: { auth } }, { text }) => {
    const found = await auth.sessions.find(text());
    if (found) await auth.sessions.endAll(found.user, runActor);
  },
};
