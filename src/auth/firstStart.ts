import { hash } from 'node:crypto';
import type { System } from '../lib/system.js';
import type { SetupTokenTable } from '../users/setupTokenTable.js';
import type { Actor } from '../audit/audit.js';
import { UserRefusal } from '../users/refusal.js';
import type { User, UserInput, Users } from '../users/users.js';

/** Creates the first administrator, for somebody who can read the terminal of the service. */
export interface FirstStart {
  /** Makes a token for the first administrator; undefined once there is a user. Earlier tokens stay valid. */
  begin(): Promise<{ readonly token: string; readonly expiresAt: number } | undefined>;
  /** Creates the first administrator, once, whichever process has made the token. */
  create(
    token: string,
    input: Pick<UserInput, 'name' | 'email' | 'language'> & { readonly password: string },
    address: string,
  ): Promise<User>;
}

export const makeFirstStart = (table: SetupTokenTable, users: Users, system: System): FirstStart => ({
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
