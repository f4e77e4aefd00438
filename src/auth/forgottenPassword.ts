import { hash } from 'node:crypto';
import { networkOf } from '../lib/addresses.js';
import { toStoredLine } from '../lib/label.js';
import { limitExceeded, type WindowCounter } from '../rateLimit/windowCounter.js';
import type { NotifyUser } from '../users/accountNotice.js';
import { toLoginKey } from '../users/names.js';
import { UserRefusal } from '../users/refusal.js';
import type { Users } from '../users/users.js';
import type { UserTable } from '../users/userTable.js';
import { hashAccountToken, type AccountTokens } from './accountTokens.js';
import type { Client } from './sessions.js';

/** Lets people choose a new password by a link in an e-mail. */
export interface ForgottenPassword {
  /**
   * Sends a link to the user with this name or e-mail address, if there is one. Nobody is told whether there
   * is: the answer is the same, and does not wait for anything that is done only for users that exist. Throws
   * `Problem` when this address has asked too often.
   */
  request(login: string, client: Pick<Client, 'address'>): Promise<void>;
  /**
   * Sets a password by a token, which is valid once, and ends all sessions of the user. A second factor
   * stays.
   */
  choose(token: string, password: string, client: Pick<Client, 'address'>): Promise<void>;
}

interface ForgottenPasswordDeps {
  readonly table: Pick<UserTable, 'findByKey' | 'find'>;
  readonly users: Pick<Users, 'choosePassword'>;
  readonly tokens: AccountTokens;
  readonly notify: NotifyUser;
  /** Counts in windows of `forgottenPasswordWindowMs`. */
  readonly counter: WindowCounter;
}

/** The limits are per hour. */
export const forgottenPasswordWindowMs = 3_600_000;
const maxPerAccount = 3;
const maxPerAddress = 20;

export const makeForgottenPassword = (deps: ForgottenPasswordDeps): ForgottenPassword => {
  const { table, users, tokens, notify, counter } = deps;
  const countAddress = async (what: string, { address }: Pick<Client, 'address'>): Promise<void> => {
    // An IPv6 client has a whole network of addresses.
    const counted = await counter.count(`${what}:address:${networkOf(toStoredLine(address, 100))}`);
    if (counted.points > maxPerAddress) throw limitExceeded(counted, forgottenPasswordWindowMs);
  };
  return {
    request: async (login, client) => {
      await countAddress('forgotten', client);
      const key = toLoginKey(login);
      // What was entered is counted, whether it exists or not; then the user, who has a name and an address.
      const entered = await counter.count(`forgotten:account:${hash('sha256', key, 'hex')}`);
      const user = await table.findByKey(key);
      const owned = await counter.count(
        `forgotten:user:${String(user?.id ?? 'nobody')}:${user ? '' : hash('sha256', key, 'hex')}`,
      );
      if (!user || entered.points > maxPerAccount || owned.points > maxPerAccount) return;
      notify(user, { kind: user.passwordHash === null ? 'no-password' : 'password-reset' });
    },
    choose: async (token, password, client) => {
      await countAddress('choose-password', client);
      const id = await tokens.findUser(token);
      const user = id === undefined ? undefined : await table.find(id);
      if (!user) throw new UserRefusal('token-refused');
      const actor = { kind: 'user', name: user.name, address: client.address } as const;
      await users.choosePassword(user.id, password, actor, hashAccountToken(token));
    },
  };
};
