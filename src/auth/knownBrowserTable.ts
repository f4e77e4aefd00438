import type { Database } from '../database/database.js';
import { inTransaction } from '../database/transactions.js';

/** A user has signed in with a browser. */
export interface KnownBrowser {
  /** The SHA-256 of the browser's token, in hexadecimal. */
  readonly id: string;
  readonly userId: number;
  /** When they last signed in with it. */
  readonly usedAt: number;
}

export interface KnownBrowserTable {
  /** Has anybody signed in with this browser since a time? */
  has(id: string, since: number): Promise<boolean>;
  /**
   * The id of the user with this name or e-mail address, given as its key, if they have. One query, whether
   * such a user exists or not.
   */
  findUser(id: string, loginKey: string, since: number): Promise<number | undefined>;
  /**
   * Notes a sign-in, and forgets the oldest browsers of the user beyond `maxBrowsers`. What is known of the
   * browser by its former id goes over to the new one.
   */
  add(browser: KnownBrowser, formerId: string | undefined, maxBrowsers: number): Promise<void>;
  /** Forgets the browsers that were last used before a time. */
  removeBefore(at: number): Promise<number>;
}

/** The table of browsers in which users have signed in. */
export const makeKnownBrowserTable = ({ read, write }: Database): KnownBrowserTable => ({
  has: async (id, since) =>
    (await read('known_browsers').where({ id }).where('used_at', '>', since).first('id')) !== undefined,
  findUser: async (id, loginKey, since) => {
    const row = await read('known_browsers')
      .join('users', 'users.id', 'known_browsers.user_id')
      .where('known_browsers.id', id)
      .where('used_at', '>', since)
      .where((either) => either.where('name_key', loginKey).orWhere('email_key', loginKey))
      .first<{ id: number } | undefined>('users.id');
    return row?.id;
  },
  add: ({ id, userId, usedAt }, formerId, maxBrowsers) =>
    inTransaction(write, async (transaction) => {
      const table = () => transaction('known_browsers');
      if (formerId !== undefined) {
        await table().where({ id: formerId, user_id: userId }).delete();
        await table().where({ id: formerId }).update({ id });
      }
      await table().insert({ id, user_id: userId, used_at: usedAt });
      const ids = await table()
        .where({ user_id: userId })
        .orderBy([{ column: 'used_at', order: 'desc' }, 'id'])
        .pluck<string[]>('id');
      const superfluous = ids.filter((other) => other !== id).slice(maxBrowsers - 1);
      if (superfluous.length > 0)
        await table().where({ user_id: userId }).whereIn('id', superfluous).delete();
    }),
  removeBefore: async (at) => write('known_browsers').where('used_at', '<=', at).delete(),
});
