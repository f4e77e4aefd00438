import type { ControllerVoucher, VoucherOrder } from '../controller.js';
import { CodesTaken } from '../errors.js';
import type { RadiusConnection, SqlValue } from './database.js';
import { epochMsOf, marker } from './schema.js';
import type { RadiusDialect } from './settings.js';

/** A row of our table. Databases return large numbers as text. */
interface VoucherRow {
  readonly code: string;
  readonly reference: string;
  readonly name: string;
  readonly max_uses: number | string;
  readonly minutes: number | string;
  readonly down: number | string;
  readonly up: number | string;
  readonly quota_mb: number | string;
  readonly created_at: number | string;
}

/** What accounting says of a voucher. */
interface UsageRow {
  readonly username: string;
  /** The database's clock. */
  readonly now: number | string;
  readonly first: number | string | null;
  readonly devices: number | string;
  readonly octets: number | string;
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const bytesPerMb = 1_000_000;
const bitsPerKbit = 1000;
/** Meraki takes no less, and has no interim updates without it. */
const interimSeconds = 300;

type Row = readonly [username: string, attribute: string, op: string, value: string];

/** First the marker: where a table knows no transactions, a user with a password alone could be left. */
const checkRows = (code: string): Row[] => [
  [code, marker.attribute, '==', marker.value],
  [code, 'Cleartext-Password', ':=', code],
];

const replyRows = (code: string, { down, up }: Pick<VoucherOrder, 'down' | 'up'>): Row[] => [
  [code, 'Acct-Interim-Interval', ':=', String(interimSeconds)],
  ...(down > 0 ? [[code, 'WISPr-Bandwidth-Max-Down', ':=', String(down * bitsPerKbit)] as const] : []),
  ...(up > 0 ? [[code, 'WISPr-Bandwidth-Max-Up', ':=', String(up * bitsPerKbit)] as const] : []),
];

const insertRows = async (
  connection: RadiusConnection,
  table: 'radcheck' | 'radreply',
  rows: readonly Row[],
): Promise<void> => {
  const values = rows.map(() => '(?, ?, ?, ?)').join(', ');
  await connection.query(
    `insert into ${table} (username, attribute, op, value) values ${values}`,
    rows.flat(),
  );
};

/**
 * What accounting says of vouchers. FreeRADIUS' schema for
 * PostgreSQL has no index for it: see the test of a controller.
 */
export const usageSql = (dialect: RadiusDialect, count: number): string =>
  `select username, ${epochMsOf(dialect, 'now()')} as now, ${epochMsOf(dialect, 'min(acctstarttime)')} as first,
     count(distinct callingstationid) as devices,
     coalesce(sum(coalesce(acctinputoctets, 0) + coalesce(acctoutputoctets, 0)), 0) as octets
   from radacct where username in (${Array.from({ length: count }, () => '?').join(', ')}) group by username`;

/** Can a voucher sign in? Its user may have been deleted in FreeRADIUS' tables. */
const hasUser = `2 = (select count(distinct c.attribute) from radcheck c where c.username = v.code and
  (c.attribute = 'Cleartext-Password' or (c.attribute = '${marker.attribute}' and c.value = '${marker.value}')))`;

export interface VoucherStatements {
  /** Makes vouchers, or confirms that they exist. Part of a transaction. */
  create(
    connection: RadiusConnection,
    order: VoucherOrder,
    codes: readonly string[],
  ): Promise<readonly ControllerVoucher[]>;
  /** Those of an order that exist, in the order of their codes. */
  find(connection: RadiusConnection, order: VoucherOrder): Promise<ControllerVoucher[]>;
  /** A page of a site's vouchers, sorted by code. */
  page(
    connection: RadiusConnection,
    site: string,
    after: string,
    limit: number,
  ): Promise<ControllerVoucher[]>;
  /** Removes a voucher of ours. Part of a transaction. */
  remove(connection: RadiusConnection, site: string, code: string): Promise<void>;
}

export const makeVoucherStatements = (name: string, dialect: RadiusDialect): VoucherStatements => {
  const [ignore, onConflict] =
    dialect === 'postgresql' ? ['', ' on conflict (code) do nothing'] : [' ignore', ''];
  const nowMs = epochMsOf(dialect, 'now()');

  const withUsage = async (
    connection: RadiusConnection,
    rows: readonly VoucherRow[],
  ): Promise<ControllerVoucher[]> => {
    if (rows.length === 0) return [];
    const codes = rows.map(({ code }) => code);
    const usage = await connection.query<UsageRow>(usageSql(dialect, codes.length), codes);
    const byCode = new Map(usage.map((row) => [row.username, row]));
    return rows.map((row) => toVoucher(row, byCode.get(row.code)));
  };

  const select = (connection: RadiusConnection, where: string, values: readonly SqlValue[]) =>
    connection.query<VoucherRow>(
      `select v.code, v.reference, v.name, v.max_uses, v.minutes, v.down, v.up, v.quota_mb, v.created_at
       from voucherd_vouchers v where ${where}`,
      values,
    );

  const find = async (
    connection: RadiusConnection,
    reference: string,
    codes: readonly string[],
  ): Promise<ControllerVoucher[]> => {
    const where = `v.reference = ? and v.code in (${marks(codes)}) and ${hasUser}`;
    const rows = await select(connection, where, [reference, ...codes]);
    return sortByCode(await withUsage(connection, rows), codes);
  };

  return {
    create: async (connection, order, codes) => {
      const { controllerSite, reference, name: voucherName, maxUses, expireMinutes } = order;
      const { down, up, quotaMb } = order;
      const row = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ${nowMs})`;
      // A second call for the same order waits here for the first one.
      await connection.query(
        `insert${ignore} into voucherd_vouchers
           (code, reference, site, name, max_uses, minutes, down, up, quota_mb, created_at)
         values ${codes.map(() => row).join(', ')}${onConflict}`,
        codes.flatMap((code) => [
          ...[code, reference, controllerSite ?? '', voucherName],
          ...[maxUses, expireMinutes, down, up, quotaMb],
        ]),
      );
      const rows = await select(connection, `v.code in (${marks(codes)})`, codes);
      if (rows.some((known) => known.reference !== reference)) throw new CodesTaken(name);
      const users = await connection.query<{ username: string; attribute: string; value: string }>(
        `select username, attribute, value from radcheck where username in (${marks(codes)})`,
        codes,
      );
      const attributesOf = (code: string) => users.filter(({ username }) => username === code);
      const isOurs = (code: string): boolean =>
        attributesOf(code).some(
          ({ attribute, value }) => attribute === marker.attribute && value === marker.value,
        );
      if (users.some(({ username }) => !isOurs(username))) throw new CodesTaken(name);
      const isWhole = (code: string): boolean =>
        isOurs(code) && attributesOf(code).some(({ attribute }) => attribute === 'Cleartext-Password');
      const missing = codes.filter((code) => !isWhole(code));
      const isNew = missing.length === codes.length;
      const halves = missing.filter(isOurs);
      // An order that is repeated was looked at before, and its guests may be online.
      const unknown = isNew ? missing.filter((code) => !isOurs(code)) : [];
      if (await hasTraces(connection, unknown)) throw new CodesTaken(name);
      if (halves.length > 0) await deleteUsers(connection, halves);
      if (missing.length > 0) {
        await insertRows(connection, 'radcheck', missing.flatMap(checkRows));
        await insertRows(
          connection,
          'radreply',
          missing.flatMap((code) => replyRows(code, order)),
        );
      }
      // Nobody has used what was not there.
      if (isNew)
        return sortByCode(
          rows.map((made) => toVoucher(made, undefined)),
          codes,
        );
      return find(connection, reference, codes);
    },
    find: async (connection, { reference, codes = [] }) =>
      codes.length === 0 ? [] : find(connection, reference, codes),
    page: async (connection, site, after, limit) =>
      withUsage(
        connection,
        await select(
          connection,
          `v.site = ? and v.code > ? and ${hasUser} order by v.code limit ${String(limit)}`,
          [site, after],
        ),
      ),
    remove: async (connection, site, code) => {
      const [known] = await select(connection, 'v.site = ? and v.code = ?', [site, code]);
      if (!known) return;
      await deleteUsers(connection, [code]);
      await connection.query('delete from voucherd_vouchers where code = ?', [code]);
    },
  };
};

const deleteUsers = async (connection: RadiusConnection, codes: readonly string[]): Promise<void> => {
  for (const table of ['radcheck', 'radreply', 'radusergroup'])
    await connection.query(`delete from ${table} where username in (${marks(codes)})`, codes);
};

/**
 * Has somebody else's user one of these names, with a group or a reply,
 * or had sessions? A voucher would take them over.
 */
const hasTraces = async (connection: RadiusConnection, codes: readonly string[]): Promise<boolean> => {
  if (codes.length === 0) return false;
  const tables = ['radreply', 'radusergroup', 'radacct'];
  const found = await connection.query(
    tables
      .map((table) => `(select 1 from ${table} where username in (${marks(codes)}) limit 1)`)
      .join(' union all '),
    tables.flatMap(() => codes),
  );
  return found.length > 0;
};

const sortByCode = (
  vouchers: readonly ControllerVoucher[],
  codes: readonly string[],
): ControllerVoucher[] => {
  const byCode = new Map(vouchers.map((voucher) => [voucher.code, voucher]));
  return codes.flatMap((code) => byCode.get(code) ?? []);
};

const toVoucher = (row: VoucherRow, usage: UsageRow | undefined): ControllerVoucher => {
  const expireMinutes = Number(row.minutes);
  const quotaMb = Number(row.quota_mb);
  const expiresAt = usage?.first == null ? null : Number(usage.first) + expireMinutes * 60_000;
  const isUsedUp = quotaMb > 0 && Number(usage?.octets ?? 0) >= quotaMb * bytesPerMb;
  return {
    id: row.code,
    code: row.code,
    name: row.name,
    maxUses: Number(row.max_uses),
    expireMinutes,
    down: Number(row.down),
    up: Number(row.up),
    quotaMb,
    usedCount: Number(usage?.devices ?? 0),
    createdAt: Number(row.created_at),
    expiresAt,
    expired: isUsedUp || (expiresAt !== null && expiresAt <= Number(usage?.now)),
  };
};
