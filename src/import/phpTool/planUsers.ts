import { partition } from '../../lib/collections.js';
import { isBcryptHash } from '../../users/bcryptHash.js';
import { parseEmail, parseUserName, toUserKey } from '../../users/names.js';
import type { Role } from '../../users/roles.js';
import type { OpenStored } from './appKey.js';
import { listIds, type Findings } from './findings.js';
import type { SourceUser } from './sourceModel.js';

export interface PlannedUser extends Pick<SourceUser, 'lastSignInAt' | 'createdAt'> {
  readonly sourceId: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly totpSecret: string | null;
  readonly active: boolean;
  readonly siteIds: readonly number[];
}

/** The longest secret that fits the column when it is not widened: an encrypted one was cut off there. */
const cutOffLength = 64;

/** Decides who each user is afterwards. */
export const planUsers = (
  users: readonly SourceUser[],
  siteIdsBySource: ReadonlyMap<number, number>,
  open: OpenStored,
  { problems, notes }: Findings,
): PlannedUser[] => {
  const [named, nameless] = partition(users, ({ email }) => parseOr(parseEmail, email) !== undefined);
  if (nameless.length > 0)
    notes.push(`users without a valid e-mail address are not moved: ${listIds(nameless)}`);
  const taken = new Set(named.map(({ email }) => toUserKey(parseEmail(email))));
  const lost: SourceUser[] = [];
  const unopened: SourceUser[] = [];
  const readTotp = (user: SourceUser): string | null => {
    const { storedTotpSecret: stored } = user;
    if (stored === null) return null;
    const secret = open(stored);
    if (secret === undefined) (stored.length <= cutOffLength ? lost : unopened).push(user);
    else if (/^[A-Z2-7]{16,128}=*$/.test(secret)) return secret;
    else lost.push(user);
    return null;
  };
  const planned = named.map((user): PlannedUser => {
    const email = parseEmail(user.email);
    const wanted = parseOr(parseUserName, user.name);
    const name = wanted !== undefined && !taken.has(toUserKey(wanted)) ? wanted : email;
    taken.add(toUserKey(name));
    return {
      sourceId: user.id,
      name,
      email,
      role: user.isAdmin ? 'admin' : 'staff',
      passwordHash: user.passwordHash !== null && isBcryptHash(user.passwordHash) ? user.passwordHash : null,
      totpSecret: readTotp(user),
      active: user.active,
      lastSignInAt: user.lastSignInAt,
      createdAt: user.createdAt,
      siteIds: user.isAdmin ? [] : [...new Set(user.siteIds.flatMap((id) => siteIdsBySource.get(id) ?? []))],
    };
  });
  if (unopened.length > 0)
    problems.push(`the second factors of these users do not open with this APP_KEY: ${listIds(unopened)}`);
  if (lost.length > 0)
    notes.push(
      `the second factors of these users can not be read, because the tool has cut them off; they sign in without one and should set up a new one: ${listIds(lost)}`,
    );
  const withTotp = named
    .filter(({ storedTotpSecret }) => storedTotpSecret !== null)
    .filter((user) => !lost.includes(user));
  if (withTotp.length > 0)
    notes.push(`recovery codes are not moved; these users should make new ones: ${listIds(withTotp)}`);
  const without = planned
    .filter(({ passwordHash }) => passwordHash === null)
    .map(({ sourceId: id }) => ({ id }));
  if (without.length > 0)
    notes.push(
      `these users have no password that can be moved; they need single sign-on, or a new one from \`voucherd user reset-password\`: ${listIds(without)}`,
    );
  return planned;
};

const parseOr = <T>(parse: (text: string) => T, text: string): T | undefined => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};
