import { expect } from '@jest/globals';
import type { Tables } from '../../src/app/tables.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { phpToolKeys, phpToolPassword, type PhpToolState } from './phpToolDatabase.js';

/** The console that the sites of the tool are on. */
export const startPhpToolConsole = (): Promise<UnifiConsole> =>
  startUnifiConsole({
    password: phpToolPassword,
    loginLimit: 1000,
    sites: [
      { reference: 'default', name: 'Default' },
      { reference: 'cafe', name: 'Café' },
    ],
  });

/** The counts of a first import, by state. */
export const expectedCounts = (state: PhpToolState) => ({
  controllers: 2,
  sites: 3,
  keys: state >= 'C' ? 3 : 0,
  users: 3,
  profiles: state >= 'B' ? 2 : 0,
  vouchers: 5,
});

const utc = (text: string): number => Date.parse(`${text}Z`);

/** What every source must have become in our tables. */
export const expectImported = async (tables: Tables, state: PhpToolState): Promise<void> => {
  const sites = await tables.sites.all();
  expect(sites.map(({ id, name, active, controllerSite }) => [id, name, active, controllerSite])).toEqual([
    [3, 'Hauptgebäude', true, 'default'],
    [7, 'Anna\'s "Café"', true, 'cafe'],
    [9, 'Altbau', false, 'default'],
  ]);
  const controllers = await tables.controllers.all();
  expect(new Set(controllers.map(({ kind }) => kind))).toEqual(new Set(['unifi-classic']));
  expect(sites[0]?.controllerId).toBe(sites[1]?.controllerId);
  expect(sites[2]?.controllerId).not.toBe(sites[0]?.controllerId);

  const keys = await tables.apiKeys.all();
  expect(
    keys.map(({ id, prefix, scope, rateLimit, revokedAt }) => [
      id,
      prefix,
      scope,
      rateLimit,
      revokedAt !== null,
    ]),
  ).toEqual(
    state < 'C'
      ? []
      : [
          [5, phpToolKeys.write.slice(4, 12), 'write', 0, false],
          [6, phpToolKeys.read.slice(4, 12), state >= 'D' ? 'read' : 'write', state >= 'D' ? 30 : 0, false],
          [8, phpToolKeys.off.slice(4, 12), 'write', 0, true],
        ],
  );
  if (state >= 'C') expect(keys[0]?.lastUsedAt).toBe(utc('2026-03-01T10:00:00'));

  const users = await tables.users.all();
  expect(users[0]?.createdAt).toBe(utc('2024-05-06T07:08:09'));
  const assigned = await tables.users.sites();
  expect(
    users.map((user) => [
      user.name,
      user.role,
      user.disabledAt !== null,
      user.sealedTotpSecret !== null,
      assigned.get(user.id) ?? [],
    ]),
  ).toEqual([
    ['Chefin', 'admin', false, false, []],
    ['Empfang@example.org', 'staff', false, state >= 'C', [3, 7]],
    ['weg@example.org', 'staff', true, false, []],
  ]);

  expect(
    (await tables.profiles.all()).map(({ name, maxUses, expireMinutes, down, quotaMb }) => [
      name,
      maxUses,
      expireMinutes,
      down,
      quotaMb,
    ]),
  ).toEqual(
    state < 'B'
      ? []
      : [
          ['Tag', 1, 1440, state >= 'C' ? 10_000 : 0, 0],
          ['tag 2', 5, 60, 0, 0],
        ],
  );

  const vouchers = await tables.vouchers.byIds(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(
    vouchers.map((voucher) => [
      voucher.siteId,
      voucher.code,
      voucher.name,
      voucher.controllerVoucherId,
      voucher.status,
      voucher.usedCount,
      voucher.createdAt,
      voucher.expiresAt,
      voucher.actorName,
    ]),
  ).toEqual([
    [
      3,
      '1111111111',
      '2026-01-15_Berger',
      'a1',
      'valid',
      1,
      utc('2026-01-15T19:51:18'),
      utc('2026-01-15T21:31:18'),
      'Chefin',
    ],
    [3, '2222222222', 'Importiert aus UniFi', 'a2', 'valid', 0, utc('2026-07-01T10:00:00'), null, null],
    [3, '3333333333', '2026-02-01_Gast', 'a3', 'valid', 0, utc('2026-02-01T08:00:00'), null, null],
    [
      7,
      '4444444444',
      '2026-02-02_Ohne',
      'a4',
      'used',
      1,
      utc('2026-02-02T08:00:00'),
      utc('2026-02-02T09:00:00'),
      'Empfang@example.org',
    ],
    [
      9,
      '5555555555',
      '2026-02-03_\n',
      null,
      'expired',
      0,
      utc('2026-02-03T08:00:00'),
      utc('2026-02-03T09:00:00'),
      null,
    ],
  ]);
};

/** The counts in a report with `--json`: added and already there. */
export const countsIn = (out: string): { added: Record<string, number>; present: Record<string, number> } => {
  const report = JSON.parse(out) as Record<string, { added: number; present: number }>;
  const parts = ['controllers', 'sites', 'keys', 'users', 'profiles', 'vouchers'];
  const pick = (what: 'added' | 'present') =>
    Object.fromEntries(parts.map((part) => [part, report[part]?.[what] ?? Number.NaN]));
  return { added: pick('added'), present: pick('present') };
};
