import { toStoredLine } from '../lib/label.js';
import type { NotifyUser } from '../users/accountNotice.js';
import type { StoredUser } from '../users/userTable.js';
import type { KnownBrowsers } from './knownBrowsers.js';
import type { Client } from './sessions.js';

interface NewBrowserDeps {
  readonly knownBrowsers: Pick<KnownBrowsers, 'findFor'>;
  readonly notify: NotifyUser;
}

/**
 * Tells a user of a sign-in with a browser in which they never signed in, once: from then on it is known. Of
 * the first sign-in of all nobody needs to be told.
 */
export const notifyOfNewBrowser = async (
  { knownBrowsers, notify }: NewBrowserDeps,
  user: StoredUser,
  { address, browser, browserToken }: Client,
): Promise<void> => {
  if (user.lastSignInAt === null || (await knownBrowsers.findFor(browserToken, user.nameKey))) return;
  notify(user, {
    kind: 'new-browser',
    address: toStoredLine(address, 100),
    browser: browser === null ? null : toStoredLine(browser, 200),
  });
};
