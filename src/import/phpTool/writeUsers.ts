import { draftAudit } from '../../audit/audit.js';
import { totpBinding, type Secrets } from '../../secrets/encryption.js';
import { toUserKey } from '../../users/names.js';
import type { UserConflict } from '../../users/userTable.js';
import { listIds } from './findings.js';
import type { ImportCount, ImportDeps } from './importDeps.js';
import type { PlannedUser } from './planUsers.js';

/** Adds users whose e-mail address nobody has here. */
export const writeUsers = async (
  users: readonly PlannedUser[],
  deps: ImportDeps,
  notes: string[],
): Promise<ImportCount> => {
  const { tables, dryRun } = deps;
  const stored = await tables.users.all();
  const keys = new Set(
    stored.flatMap(({ nameKey, emailKey }) => [nameKey, ...(emailKey === null ? [] : [emailKey])]),
  );
  const missing = users.filter(({ email }) => !keys.has(toUserKey(email)));
  const failed: { id: number }[] = [];
  let done = 0;
  for (const user of dryRun ? [] : missing) {
    const name = keys.has(toUserKey(user.name)) ? user.email : user.name;
    const outcome = await addUser({ ...user, name }, deps);
    if (typeof outcome === 'string') failed.push({ id: user.sourceId });
    else keys.add(toUserKey(name));
    deps.onProgress('users', (done += 1), missing.length);
  }
  if (failed.length > 0)
    notes.push(`these users could not be added, because their names are taken: ${listIds(failed)}`);
  return { added: missing.length - failed.length, present: users.length - missing.length };
};

const addUser = (user: PlannedUser, deps: ImportDeps): Promise<number | UserConflict> => {
  const { totpSecret } = user;
  const at = deps.clock.now();
  const add = (secrets?: Secrets): Promise<number | UserConflict> =>
    deps.tables.users.add(
      {
        name: user.name,
        nameKey: toUserKey(user.name),
        email: user.email,
        emailKey: toUserKey(user.email),
        role: user.role,
        passwordHash: user.passwordHash,
        passwordIsTemporary: false,
        language: null,
        createdAt: user.createdAt ?? at,
        lastSignInAt: user.lastSignInAt,
        disabledAt: user.active ? null : at,
        ...(totpSecret !== null &&
          secrets && { sealTotpSecret: (id: number) => secrets.seal(totpSecret, totpBinding(id, 'secret')) }),
      },
      user.siteIds,
      draftAudit(deps.actor, 'user.create', at, { role: user.role }),
    );
  return totpSecret === null ? add() : deps.rotationSafeWriter.write(add);
};
