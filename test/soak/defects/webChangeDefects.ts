import type { ServiceDefect } from './serviceDefect.js';

/** In what the web UI changes and lists afterwards. */
export const webChangeDefects: readonly ServiceDefect[] = [
  {
    name: 'the expiry of a new key is lost',
    file: 'handlers/web/keys.ts',
    from: 'expiresAt === null ? null : parseTimestamp(expiresAt)',
    to: 'expiresAt !== null && parseTimestamp(expiresAt) < 0 ? 0 : null',
    operations: ['createKey', 'listKeys'],
  },
  {
    name: 'a site can not be made inactive',
    file: 'handlers/web/sites.ts',
    from: '...(isActive !== undefined && { active: isActive })',
    to: '...(isActive === true && { active: isActive })',
    operations: ['updateSite', 'listSites'],
  },
  {
    name: 'a revoked key is not revoked',
    file: 'handlers/web/keys.ts',
    from: 'await keys.revoke(input.path.keyId, actorOf(principal, client));',
    to: 'if (input.path.keyId < 0) await keys.revoke(input.path.keyId, actorOf(principal, client));',
    operations: ['createKey', 'revokeKey', 'listKeys'],
  },
  {
    name: 'a new user gets no sites',
    file: 'handlers/web/users.ts',
    from: 'role, language, siteIds }',
    to: 'role, language, siteIds: siteIds.slice(0, 0) }',
    operations: ['createUser', 'listUsers'],
  },
];
