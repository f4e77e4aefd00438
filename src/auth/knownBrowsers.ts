import { hash } from 'node:crypto';
import type { System } from '../lib/system.js';
import type { KnownBrowserTable } from './knownBrowserTable.js';

/**
 * Browsers in which people have signed in. Each keeps a random token; somebody who guesses passwords
 * elsewhere has none, and so can't use up the attempts of these browsers.
 */
export interface KnownBrowsers {
  /** The id of a browser in which anybody has signed in before. */
  find(token: string | undefined): Promise<string | undefined>;
  /** The same if the user with this name or e-mail address has, with their id. */
  findFor(
    token: string | undefined,
    loginKey: string,
  ): Promise<{ readonly id: string; readonly userId: number } | undefined>;
  /** Notes that a user has signed in, and returns the new token of their browser, once. */
  remember(userId: number, formerToken: string | undefined): Promise<string>;
}

const dayMs = 86_400_000;
/** How long a browser stays known after a sign-in. */
export const knownBrowserMs = 180 * dayMs;
/** The oldest ones beyond it are forgotten. */
const maxBrowsersPerUser = 50;

const tokenFormat = /^[\w-]{43}$/;

export const makeKnownBrowsers = (table: KnownBrowserTable, system: System): KnownBrowsers => {
  const since = (): number => system.now() - knownBrowserMs;
  return {
    find: async (token) => {
      const id = toId(token);
      return id !== undefined && (await table.has(id, since())) ? id : undefined;
    },
    findFor: async (token, loginKey) => {
      const id = toId(token);
      const userId = id === undefined ? undefined : await table.findUser(id, loginKey, since());
      return id === undefined || userId === undefined ? undefined : { id, userId };
    },
    // Always a new token: one that somebody else has put into the browser is worth nothing after a sign-in.
    remember: async (userId, formerToken) => {
      const token = Buffer.from(system.randomBytes(32)).toString('base64url');
      const browser = { id: hashToken(token), userId, usedAt: system.now() };
      await table.add(browser, toId(formerToken), maxBrowsersPerUser);
      return token;
    },
  };
};

const hashToken = (token: string): string => hash('sha256', token, 'hex');

const toId = (token: string | undefined): string | undefined =>
  token !== undefined && tokenFormat.test(token) ? hashToken(token) : undefined;
