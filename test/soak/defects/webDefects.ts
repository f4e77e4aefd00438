import type { ServiceDefect } from './serviceDefect.js';

/** In what the web UI's own contract says. */
export const webDefects: readonly ServiceDefect[] = [
  {
    name: 'a sign-out leaves the cookie in the browser',
    file: 'src/auth/cookies.ts',
    from: 'const age = value === undefined ? 0 : lifetimesSeconds[name];',
    to: 'const age = lifetimesSeconds[name];',
    operations: ['signIn', 'signOut'],
  },
  {
    name: 'a request without an origin counts as one of our pages',
    file: 'src/auth/webAccess.ts',
    from: 'origin === new URL(',
    to: 'origin === undefined || origin === new URL(',
    operations: ['setLanguage'],
  },
  {
    name: 'staff find the vouchers of all sites',
    file: 'src/vouchers/search/search.ts',
    from: `viewer.role === 'admin' ? undefined :`,
    to: `viewer.role !== 'viewer' ? undefined :`,
    operations: ['listVouchers', 'getVoucher', 'setLanguage'],
  },
  {
    name: 'a revoked voucher is shown as gone',
    file: 'src/vouchers/state.ts',
    from: 'if (voucher.revokedAt !== null) return',
    to: `if (voucher.revokedAt !== null && voucher.status !== 'expired') return`,
    operations: ['revokeVouchers', 'listVouchers', 'getVoucher'],
  },
  {
    name: 'audit entries lack the address',
    file: 'src/audit/audit.ts',
    from: 'address: actor.address,',
    to: 'address: null,',
    operations: ['createKey', 'listAudit'],
  },
  {
    name: 'the list of users shows no sites',
    file: 'src/users/users.ts',
    from: 'users.map((user) => toUser(user, sites.get(user.id) ?? []))',
    to: 'users.map((user) => toUser(user, sites.get(-user.id) ?? []))',
    operations: ['createUser', 'listUsers'],
  },
  {
    name: 'a revoked key is listed as valid for a minute',
    file: 'src/apiKeys/keyAdministration.ts',
    from: `key.revokedAt !== null ? 'revoked'`,
    to: `key.revokedAt !== null && key.revokedAt < now - 60_000 ? 'revoked'`,
    operations: ['revokeKey', 'listKeys'],
  },
  {
    name: 'the oldest are not listed first when they are asked for',
    file: 'src/vouchers/search/search.ts',
    from: `isOldestFirst: sort === 'oldest'`,
    to: 'isOldestFirst: sort === undefined',
    operations: ['listVouchers', 'setLanguage'],
  },
];
