import type { SourceRow, SourceRows, SourceTable } from './sourceRows.js';
import { ImportError } from './sourceRows.js';
import type { SourceTimes } from './times.js';

export interface SourceSite {
  readonly id: number;
  readonly name: string;
  /** Its short name on the controller. */
  readonly controllerSite: string;
  readonly address: string;
  readonly username: string;
  readonly storedPassword: string;
  readonly active: boolean;
  readonly isPublic: boolean;
  readonly createdAt: number | null;
}

export interface SourceKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scope: string;
  readonly rateLimit: number;
  readonly active: boolean;
  readonly lastUsedAt: number | null;
  readonly createdAt: number | null;
}

export interface SourceUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly isAdmin: boolean;
  readonly active: boolean;
  /** Null unless it is in use. */
  readonly storedTotpSecret: string | null;
  readonly lastSignInAt: number | null;
  readonly createdAt: number | null;
  readonly siteIds: readonly number[];
}

export interface SourceTemplate {
  readonly id: number;
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
  readonly active: boolean;
}

export interface SourceVoucher {
  readonly id: number;
  readonly siteId: number;
  readonly userId: number | null;
  /** Without dashes. */
  readonly code: string;
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly controllerVoucherId: string | null;
  readonly status: 'valid' | 'used' | 'expired';
  readonly usedCount: number;
  /** Was it found on the controller, and not ordered? */
  readonly isFound: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** The tool's data, parsed. */
export interface SourceModel {
  readonly sites: readonly SourceSite[];
  readonly keys: readonly SourceKey[];
  readonly users: readonly SourceUser[];
  readonly templates: readonly SourceTemplate[];
  /** In the order of their ids. */
  readonly vouchers: readonly SourceVoucher[];
  readonly settings: ReadonlyMap<string, string>;
}

const maxInteger = 2_147_483_647;

/** Parses the rows. What is missing has the value that the tool would give it. Throws `ImportError`. */
export const parseModel = ({ tables }: SourceRows, times: SourceTimes): SourceModel => {
  const rowsOf = (table: SourceTable): readonly SourceRow[] => tables.get(table) ?? [];
  if (!tables.has('sites'))
    throw new ImportError(
      'source-invalid',
      'there is no table named sites: is this the database of the PHP tool?',
    );
  const access = rowsOf('user_site_access').map(
    (row) => [toId(row, 'user_id'), toId(row, 'site_id')] as const,
  );
  const sitesOf = new Map<number, number[]>();
  for (const [user, site] of access) sitesOf.set(user, [...(sitesOf.get(user) ?? []), site]);
  return {
    sites: sortById(rowsOf('sites').map((row) => parseSite(row, times))),
    keys: sortById(rowsOf('api_keys').map((row) => parseKey(row, times))),
    users: sortById(rowsOf('users').map((row) => parseUser(row, times, sitesOf))),
    templates: sortById(rowsOf('voucher_templates').map(parseTemplate)),
    vouchers: sortById(rowsOf('vouchers').map((row) => parseVoucher(row, times))),
    settings: new Map(
      rowsOf('settings').map((row) => [toText(row, 'setting_key'), toText(row, 'setting_value')]),
    ),
  };
};

const sortById = <T extends { readonly id: number }>(items: T[]): T[] => items.sort((a, b) => a.id - b.id);

const toText = (row: SourceRow, column: string): string => (row[column] ?? '').replaceAll('\0', '');

const toNullableText = (row: SourceRow, column: string): string | null => toText(row, column) || null;

/** A column that is missing has the default; one that is NULL has the other. */
const toNumber = (row: SourceRow, column: string, otherwise: number): number => {
  const number = Number(row[column] ?? Number.NaN);
  return Number.isFinite(number) ? Math.min(Math.max(Math.trunc(number), -1), maxInteger) : otherwise;
};

const toId = (row: SourceRow, column = 'id'): number => {
  const id = Number(row[column]);
  if (Number.isInteger(id) && id > 0 && id <= maxInteger) return id;
  throw new ImportError(
    'source-invalid',
    `a row has "${(row[column] ?? 'NULL').slice(0, 20)}" as ${column}, which is no id`,
  );
};

/** NULL and 0 are off; a column that is missing has the default. */
const toFlag = (row: SourceRow, column: string, otherwise: boolean): boolean =>
  row[column] === undefined ? otherwise : toNumber(row, column, 0) !== 0;

const parseSite = (row: SourceRow, times: SourceTimes): SourceSite => ({
  id: toId(row),
  name: toText(row, 'name'),
  controllerSite: toText(row, 'site_id').trim(),
  address: toText(row, 'unifi_controller_url')
    .trim()
    .replace(/(?<!\/)\/+$/, ''),
  username: toText(row, 'unifi_username'),
  storedPassword: toText(row, 'unifi_password'),
  active: toFlag(row, 'is_active', true),
  isPublic: toFlag(row, 'public_access', false),
  createdAt: times.fromMysql(row, 'created_at'),
});

const parseKey = (row: SourceRow, times: SourceTimes): SourceKey => ({
  id: toId(row),
  name: toText(row, 'name'),
  prefix: toText(row, 'key_prefix'),
  hash: toText(row, 'key_hash'),
  // Before there were scopes and limits, each key had all rights and no limit.
  scope: row['scope'] === undefined ? 'write' : toText(row, 'scope'),
  rateLimit: Math.max(0, toNumber(row, 'rate_limit', 0)),
  active: toFlag(row, 'is_active', true),
  lastUsedAt: times.fromMysql(row, 'last_used_at'),
  createdAt: times.fromMysql(row, 'created_at'),
});

const parseUser = (
  row: SourceRow,
  times: SourceTimes,
  sitesOf: ReadonlyMap<number, readonly number[]>,
): SourceUser => ({
  id: toId(row),
  email: toText(row, 'email'),
  name: toText(row, 'name'),
  passwordHash: toNullableText(row, 'password_hash'),
  isAdmin: toFlag(row, 'is_admin', false),
  active: toFlag(row, 'is_active', true),
  storedTotpSecret: toFlag(row, 'totp_enabled', false) ? toNullableText(row, 'totp_secret') : null,
  lastSignInAt: times.fromMysql(row, 'last_login'),
  createdAt: times.fromMysql(row, 'created_at'),
  siteIds: sitesOf.get(toId(row)) ?? [],
});

const parseTemplate = (row: SourceRow): SourceTemplate => ({
  id: toId(row),
  name: toText(row, 'name'),
  maxUses: Math.max(0, toNumber(row, 'max_uses', 1)),
  expireMinutes: Math.max(1, toNumber(row, 'expire_minutes', 480)),
  down: Math.max(0, toNumber(row, 'qos_rate_max_down', 0)),
  up: Math.max(0, toNumber(row, 'qos_rate_max_up', 0)),
  quotaMb: Math.max(0, toNumber(row, 'qos_usage_quota', 0)),
  active: toFlag(row, 'is_active', true),
});

const parseVoucher = (row: SourceRow, times: SourceTimes): SourceVoucher => {
  const isFound = toFlag(row, 'synced_from_unifi', false);
  const status = toText(row, 'status');
  return {
    id: toId(row),
    siteId: toId(row, 'site_id'),
    userId: row['user_id'] == null ? null : toId(row, 'user_id'),
    code: toText(row, 'voucher_code').replaceAll('-', ''),
    name: toText(row, 'voucher_name'),
    maxUses: Math.max(0, toNumber(row, 'max_uses', 1)),
    expireMinutes: Math.max(0, toNumber(row, 'expire_minutes', 480)),
    controllerVoucherId: toNullableText(row, 'unifi_voucher_id'),
    status: status === 'used' || status === 'expired' ? status : 'valid',
    usedCount: Math.max(0, toNumber(row, 'used_count', 0)),
    isFound,
    // What was found on the controller was written by PHP, in its own zone.
    createdAt: (isFound ? times.fromPhp : times.fromMysql)(row, 'created_at') ?? 0,
    expiresAt: times.fromPhp(row, 'expires_at'),
  };
};
