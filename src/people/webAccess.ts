import type { AccessControl, RequestClient } from '../contract/runtime/request.js';
import { Problem } from '../lib/problem.js';
import { makeRevisionCache, type Revisions } from '../storage/revisions.js';
import type { SettingTable, SignInRules } from '../storage/settings.js';
import { maxSessionAgeMs, type Client, type Sessions, type SignedInUser } from './sessions.js';
import { pendingSeconds } from './singleSignOn.js';

/** Who sends a request of the pages, and what they have to do before anything else. */
export interface WebUser extends SignedInUser {
  readonly mustChangePassword: boolean;
  readonly mustSetUpSecondFactor: boolean;
}

interface WebAccessDeps {
  readonly sessions: Sessions;
  readonly settings: SettingTable;
  readonly revisions: Revisions;
}

/** What somebody may do who first has to change their password or set up a second factor. */
const alwaysPermitted = new Set([
  'getSession',
  'signOut',
  'setLanguage',
  'changePassword',
  'beginSecondFactor',
  'confirmSecondFactor',
]);

/** Lets the pages in: signed-in users with their roles, and from our own pages only. */
export const makeWebAccess = ({ sessions, settings, revisions }: WebAccessDeps): AccessControl<WebUser> => {
  const rules = makeRevisionCache<SignInRules>({ revisions, maxSize: 1, load: settings.signInRules });
  return {
    accept: (request) => {
      const { method, headers } = request;
      if (method === 'get' || method === 'head') return;
      const site = headers['sec-fetch-site'];
      // Browsers that do not tell where a request comes from send the origin.
      const isOurs =
        site === undefined ? headers['origin'] === request.client().origin : site === 'same-origin';
      if (!isOurs) throw new Problem('forbidden', { message: 'foreign-origin' });
      const type = headers['content-type'];
      if (type !== undefined && !/^application\/json\s*(;|$)/i.test(String(type)))
        throw new Problem('invalid_request', { message: 'json-required' });
    },
    authenticate: async (token, scheme, request) => {
      // Over HTTPS a cookie without the prefix may have been set by another host of the same domain.
      if (scheme === plainScheme && isSecure(request.client())) return undefined;
      const found = await sessions.find(token);
      if (!found) return undefined;
      const { hasPassword, passwordIsTemporary, hasSecondFactor, role } = found.user;
      const { secondFactorRoles } = await rules('people');
      return {
        ...found,
        mustChangePassword: passwordIsTemporary,
        // Who signs in elsewhere is asked for a second factor there.
        mustSetUpSecondFactor: hasPassword && !hasSecondFactor && secondFactorRoles.includes(role),
      };
    },
    count: () => undefined,
    permits: ({ user, mustChangePassword, mustSetUpSecondFactor }, scope, { id }) => {
      const forbid = (message: string): never => {
        throw new Problem('forbidden', { message });
      };
      if (scope === 'admin' && user.role !== 'admin') forbid('role-insufficient');
      if (alwaysPermitted.has(id)) return true;
      if (mustChangePassword) forbid('password-change-required');
      if (mustSetUpSecondFactor) forbid('second-factor-required');
      return true;
    },
  };
};

const plainScheme = 'session';

const isSecure = ({ origin }: RequestClient): boolean => origin.startsWith('https:');

/** The cookie of a session, or without a token the one that ends it. */
export const makeSessionCookie = (token: string | undefined, client: RequestClient): string => {
  const secure = isSecure(client);
  const name = secure ? '__Host-session' : 'session';
  const age = token === undefined ? 0 : maxSessionAgeMs / 1000;
  return `${name}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${String(age)}${secure ? '; Secure' : ''}`;
};

const singleSignOnPath = '/web/single-sign-on';

/** Where the provider sends browsers back to. */
export const singleSignOnCallback = ({ origin }: RequestClient): string =>
  `${origin}${singleSignOnPath}/callback`;

/** The cookie of a single sign-on that was begun, or without a value the one that ends it. */
export const makeSingleSignOnCookie = (pending: string | undefined, client: RequestClient): string => {
  const age = pending === undefined ? 0 : pendingSeconds;
  return `single-sign-on=${pending ?? ''}; Path=${singleSignOnPath}; HttpOnly; SameSite=Lax; Max-Age=${String(age)}${isSecure(client) ? '; Secure' : ''}`;
};

/** A client as sessions are recorded. */
export const toSessionClient = ({ address, userAgent }: RequestClient): Client => ({
  address,
  browser: userAgent,
});
