import type { StoredUser, UserTable } from '../users/userTable.js';
import type { NotifyUser } from '../users/accountNotice.js';
import type { KnownBrowsers } from './knownBrowsers.js';
import { notifyOfNewBrowser } from './newBrowser.js';
import { isHashable, type Passwords } from '../users/passwords.js';
import { UserRefusal } from '../users/refusal.js';
import type { RefusedSignIn } from './refusedSignIns.js';
import type { SecondFactor } from './secondFactor.js';
import type { Client, NewSession, Sessions } from './sessions.js';
import type { SignInThrottle } from './signInThrottle.js';
import { toLoginKey } from '../users/names.js';

/** What somebody enters. */
export interface Credentials {
  /** Name or e-mail address. */
  readonly login: string;
  readonly password: string;
  /** The code of an app, or a recovery code. */
  readonly code?: string | undefined;
}

export type SignInResult =
  | ({ readonly outcome: 'signed-in'; readonly userId: number } & NewSession)
  /** The password is right, and a code is needed too. */
  | { readonly outcome: 'code-required' }
  /** Does not say whether the account exists, or what was wrong. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }
  /** Too many passwords are being checked. */
  | { readonly outcome: 'busy' };

export type SignIn = (credentials: Credentials, client: Client) => Promise<SignInResult>;

interface SignInDeps {
  readonly users: UserTable;
  readonly passwords: Passwords;
  readonly secondFactor: Pick<SecondFactor, 'verify'>;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly knownBrowsers: KnownBrowsers;
  readonly throttle: SignInThrottle;
  record(refused: RefusedSignIn): Promise<unknown>;
  reportUnknownHash(userId: number): void;
  readonly notify: NotifyUser;
}

/**
 * Makes the sign-in. Each attempt is counted before anything is checked, and one beyond the limits is not
 * checked. All others take the same time, whether the account exists or not: one look into the table and one
 * password hashed. This holds for an account too whose attempts were used up under its other name: it is
 * refused as a wrong password is. An imported password is compared with its bcrypt hash besides, which can be
 * seen only where that takes longer.
 */
export const makeSignIn = ({
  users,
  passwords,
  secondFactor,
  sessions,
  knownBrowsers,
  throttle,
  record,
  reportUnknownHash,
  notify,
}: SignInDeps): SignIn => {
  const verifyPassword = async (
    password: string,
    user: Pick<StoredUser, 'id' | 'passwordHash'> | undefined,
  ): Promise<boolean | 'busy'> => {
    if (!isHashable(password)) return false;
    try {
      return await passwords.verify(password, user?.passwordHash ?? null, {
        onUnknownForm: () => user && reportUnknownHash(user.id),
        replaceImported: async (hash) => user && users.replaceHash(user, hash),
      });
    } catch (error) {
      if (error instanceof UserRefusal && error.code === 'busy') return 'busy';
      throw error;
    }
  };

  return async ({ login, password, code }, client) => {
    const { address } = client;
    const loginKey = toLoginKey(login);
    const browser = await knownBrowsers.findFor(client.browserToken, loginKey);
    const attempt = await throttle.count(
      browser ? { kind: 'browser', ...browser } : { kind: 'elsewhere', address, loginKey },
    );
    if (!attempt.accepted) {
      const { by: reason, retryAfterSeconds } = attempt;
      await record({ action: 'user.sign-in-throttled', user: undefined, address, reason });
      return { outcome: 'throttled', retryAfterSeconds };
    }

    const user = await users.findByKey(loginKey);
    const refuse = async (reason: RefusedSignIn['reason']): Promise<SignInResult> => {
      const action = reason === 'account' ? 'user.sign-in-throttled' : 'user.sign-in-refused';
      await record({ action, user, address, reason });
      return { outcome: 'refused' };
    };

    const mayCheck = await attempt.countUser(user?.id);
    const isRight = await verifyPassword(password, mayCheck ? user : undefined);
    if (isRight === 'busy') {
      await attempt.takeBack();
      return { outcome: 'busy' };
    }
    if (!user) return refuse('unknown');
    if (!mayCheck) return refuse('account');
    if (!isRight) return refuse('password');
    if (user.disabledAt !== null) return refuse('disabled');

    const needsCode = user.sealedTotpSecret !== null;
    if (needsCode && !code) {
      await attempt.takeBack();
      return { outcome: 'code-required' };
    }
    if (needsCode && !(await secondFactor.verify(user, code ?? ''))) return refuse('second factor');

    const begun = await sessions.begin(user, client, { secondFactor: needsCode });
    if (!begun) return refuse('changed');
    await attempt.takeBack();
    await notifyOfNewBrowser({ knownBrowsers, notify }, user, client);
    const browserToken = await knownBrowsers.remember(user.id, client.browserToken);
    return { outcome: 'signed-in', ...begun, browserToken, userId: user.id };
  };
};
