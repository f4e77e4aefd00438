import type { AccessControl, RequestClient } from '../contract/runtime/request.js';
import { Problem } from '../errors/problem.js';
import { makeRevisionCache, type Revisions } from '../database/revisions.js';
import type { SettingTable, SignInRules } from './signInRuleTable.js';
import type { Sessions, SignedInUser } from './sessions.js';
import { isSecure, readCookieValue } from './cookies.js';
import { hasRole } from '../users/roles.js';

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
      const { method, headers, operation } = request;
      if (method === 'get' || method === 'head') return;
      const site = headers['sec-fetch-site'];
      // Browsers that do not tell where a request comes from send the origin.
      const isOurs =
        site === undefined ? isOurOrigin(headers['origin'], request.client()) : site === 'same-origin';
      if (!isOurs) throw new Problem('forbidden', { message: 'foreign-origin' });
      const type = headers['content-type'];
      // Where no body is read, its type says nothing.
      if (operation?.requestBody === undefined || type === undefined) return;
      if (!/^application\/json\s*(;|$)/i.test(String(type)))
        throw new Problem('invalid_request', { message: 'json-required' });
    },
    cookieValue: readCookieValue,
    authenticate: async (token, scheme, request) => {
      if (!mayCount(scheme, request.client())) return undefined;
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
      if (!hasRole(user, scope)) forbid('role-insufficient');
      if (alwaysPermitted.has(id)) return true;
      if (mustChangePassword) forbid('password-change-required');
      if (mustSetUpSecondFactor) forbid('second-factor-required');
      return true;
    },
  };
};

/** A proxy that is not trusted may hide where the browser is. */
const isOurOrigin = (origin: unknown, client: RequestClient): boolean =>
  origin === new URL(client.publicUrl).origin || origin === client.origin;

/** Over HTTPS a cookie without the strictest prefix may have been set by another host of the same domain. */
const mayCount = (scheme: string, client: RequestClient): boolean => {
  if (!isSecure(client)) return true;
  return scheme === 'hostSession' || (scheme === 'secureSession' && client.basePath !== '');
};
