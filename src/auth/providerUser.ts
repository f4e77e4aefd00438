import type { Actor } from '../audit/audit.js';
import type { SingleSignOnConfig } from '../config/singleSignOnEnvironment.js';
import { Refusal } from '../errors/problem.js';
import { toUserKey } from '../users/names.js';
import { UserRefusal } from '../users/refusal.js';
import type { Role } from '../users/roles.js';
import type { Users } from '../users/users.js';
import type { StoredUser, UserTable } from '../users/userTable.js';
import { nameIn, roleIn, toTrustedEmail, type Claims } from './claims.js';

interface ProviderUserDeps {
  readonly config: SingleSignOnConfig;
  readonly table: UserTable;
  readonly users: Users;
}

/**
 * Finds the user that a provider vouches for. Issuer and subject are who somebody is: the provider gives them
 * to nobody else, which is not true of an address. The address counts at the first sign-in only. Where roles
 * come from the provider, unknown people are created.
 */
export const makeFindProviderUser = ({ config, table, users }: ProviderUserDeps) => {
  const findByEmail = async (claims: Claims, role: Role | undefined, actor: Actor): Promise<StoredUser> => {
    const email = toTrustedEmail(claims, config.emailProof);
    const key = toUserKey(email);
    const found = await table.findByKey(key);
    // Only an address that an administrator or the provider gave counts, not a name that looks like one.
    if (found?.emailKey === key) return found;
    if (role === undefined) throw refusal('single-sign-on-unknown', 'there is no user with this address');
    await createUser({ email, role, name: nameIn(claims) }, actor);
    const created = await table.findByKey(key);
    if (!created) throw new UserRefusal('unknown-user');
    return created;
  };

  /** The address stands for a name that is missing, or that somebody else has. */
  const createUser = async (
    { email, role, name }: { readonly email: string; readonly role: Role; readonly name: string | undefined },
    actor: Actor,
  ): Promise<void> => {
    const create = (as: string) => users.create({ name: as, email, role, password: null }, actor);
    if (name === undefined) await create(email);
    else
      await create(name).catch((error: unknown) => {
        if (error instanceof UserRefusal && error.code === 'name-taken') return create(email);
        throw error;
      });
  };

  return async (claims: Claims, address: string): Promise<StoredUser> => {
    const identity = { issuer: claims.iss, subject: claims.sub };
    const role = roleIn(claims, config);
    const actor: Actor = { kind: 'system', name: config.name, address };
    const known = await table.findByIdentity(identity);
    const { id, disabledAt, subject, ...found } = known ?? (await findByEmail(claims, role, actor));
    const reload = async (): Promise<StoredUser> => {
      const user = await table.find(id);
      if (!user) throw new UserRefusal('unknown-user');
      return user;
    };
    if (disabledAt !== null) return reload();
    if (!known && subject !== null) throw new OtherPerson(await reload());
    if (role !== undefined && role !== found.role) await users.setRole(id, role, actor);
    // Somebody who signs in here never got the password that was made for them.
    if (found.passwordIsTemporary) await users.removePassword(id, actor);
    if (!known) await users.setIdentity(id, identity, actor);
    const user = await reload();
    if (user.issuer !== identity.issuer || user.subject !== identity.subject) throw new OtherPerson(user);
    return user;
  };
};

/** The address belongs to a user who is somebody else at the provider: it was given to another person. */
export class OtherPerson extends Refusal {
  constructor(readonly user: StoredUser) {
    super('single-sign-on-other-person', 'the user with this address is another person at the provider');
  }
}

const refusal = (code: string, message: string): Refusal => new Refusal(code, message);
