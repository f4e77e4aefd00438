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

const checkRows = (code: string): Row[] => [
  [code, 'Cleartext-Password', ':=', code],
  [code, marker.attribute, '==', marker.value],
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

export interface VoucherStatements {
  /** Makes vouchers, or confirms that they exist. Part of a transaction. */
  create(connection: RadiusConnection, order: VoucherOrder, codes: readonly string[]): Promise<void>;
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

export const makeVoucherStatements = (
  name: string,
  dialect: RadiusDialect,
  now: () => number,
): VoucherStatements => {
  const [ignore, onConflict] =
    dialect === 'postgresql' ? ['', ' on conflict (code) do nothing'] : [' ignore', ''];
  const nowMs = epochMsOf(dialect, 'now()');

  const withUsage = async (
    connection: RadiusConnection,
    rows: readonly VoucherRow[],
  ): Promise<ControllerVoucher[]> => {
    if (rows.length === 0) return [];
    const codes = rows.map(({ code }) => code);
    const usage = await connection.query<UsageRow>(
      `select username, ${epochMsOf(dialect, 'min(acctstarttime)')} as first,
         count(distinct callingstationid) as devices,
         coalesce(sum(coalesce(acctinputoctets, 0) + coalesce(acctoutputoctets, 0)), 0) as octets
       from radacct where username in (${marks(codes)}) group by username`,
      codes,
    );
    const byCode = new Map(usage.map((row) => [row.username, row]));
    return rows.map((row) => toVoucher(row, byCode.get(row.code), now()));
  };

  const select = (connection: RadiusConnection, where: string, values: readonly SqlValue[]) =>
    connection.query<VoucherRow>(
      `select code, reference, name, max_uses, minutes, down, up, quota_mb, created_at
       from voucherd_vouchers where ${where}`,
      values,
    );

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
      const rows = await select(connection, `code in (${marks(codes)})`, codes);
      if (rows.some((known) => known.reference !== reference)) throw new CodesTaken(name);
      const users = await connection.query<{ username: string; attribute: string; value: string }>(
        `select username, attribute, value from radcheck where username in (${marks(codes)})`,
        codes,
      );
      const isOurs = (code: string): boolean =>
        users.some(
          ({ username, attribute, value }) =>
            username === code && attribute === marker.attribute && value === marker.value,
        );
      if (users.some(({ username }) => !isOurs(username))) throw new CodesTaken(name);
      const missing = codes.filter((code) => !isOurs(code));
      if (missing.length === 0) return;
      await insertRows(connection, 'radcheck', missing.flatMap(checkRows));
      await insertRows(
        connection,
        'radreply',
        missing.flatMap((code) => replyRows(code, order)),
      );
    },
    find: async (connection, { reference, codes = [] }) => {
      if (codes.length === 0) return [];
      const rows = await select(connection, `reference = ? and code in (${marks(codes)})`, [
        reference,
        ...codes,
      ]);
      const found = await withUsage(connection, rows);
      return codes.flatMap((code) => found.find((voucher) => voucher.code === code) ?? []);
    },
    page: async (connection, site, after, limit) =>
      withUsage(
        connection,
        await select(connection, `site = ? and code > ? order by code limit ${String(limit)}`, [site, after]),
      ),
    remove: async (connection, site, code) => {
      const [known] = await select(connection, 'site = ? and code = ?', [site, code]);
      if (!known) return;
      for (const table of ['radcheck', 'radreply', 'radusergroup'])
        await connection.query(`delete from ${table} where username = ?`, [code]);
      await connection.query('delete from voucherd_vouchers where code = ?', [code]);
    },
  };
};

const toVoucher = (row: VoucherRow, usage: UsageRow | undefined, now: number): ControllerVoucher => {
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
    expired: isUsedUp || (expiresAt !== null && expiresAt <= now),
  };
};
