import { errorCode } from '../../lib/errorCode.js';
import type { RadiusConnection } from './database.js';
import type { RadiusDialect } from './settings.js';
import { isTableMissing } from './sqlFailure.js';

/**
 * Our table beside those of FreeRADIUS: what an order said, and
 * by its key each code once. FreeRADIUS reads it by our policy.
 */
const columns: Readonly<
  Record<RadiusDialect, { readonly code: string; readonly text: string; readonly engine: string }>
> = {
  postgresql: { code: 'varchar(64)', text: 'text', engine: '' },
  mysql: {
    // As in FreeRADIUS' own tables, which codes are compared with.
    code: 'varchar(64) character set latin1',
    text: 'text character set utf8mb4',
    engine: ' engine=InnoDB',
  },
};

const voucherTableSql = (dialect: RadiusDialect): string => {
  const { code, text, engine } = columns[dialect];
  return `create table voucherd_vouchers (
  code ${code} primary key, reference varchar(64) not null, site ${text} not null, name ${text} not null,
  max_uses bigint not null, minutes bigint not null, down bigint not null, up bigint not null,
  quota_mb bigint not null, created_at bigint not null)${engine}`;
};

/** Somebody else has made it in the same moment; PostgreSQL may say so by its own catalogue. */
const tableExists = ['42P07', '23505', 'ER_TABLE_EXISTS_ERROR'];

/**
 * Makes our table unless it is there: without the right to create tables, an administrator may have done it.
 */
export const ensureVoucherTable = async (
  connection: RadiusConnection,
  dialect: RadiusDialect,
): Promise<void> => {
  try {
    await connection.query('select 1 from voucherd_vouchers where 1 = 0');
  } catch (error) {
    if (!isTableMissing(error)) throw error;
    await connection.query(voucherTableSql(dialect)).catch((failed: unknown) => {
      if (!tableExists.includes(errorCode(failed))) throw failed;
    });
  }
};

/** The tables and columns of FreeRADIUS that are used. */
export const requiredColumns: Readonly<Record<string, readonly string[]>> = {
  radcheck: ['username', 'attribute', 'op', 'value'],
  radreply: ['username', 'attribute', 'op', 'value'],
  radusergroup: ['username'],
  radacct: [
    'username',
    'nasipaddress',
    'acctsessionid',
    'acctstarttime',
    'acctstoptime',
    'acctinputoctets',
    'acctoutputoctets',
    'callingstationid',
    'framedipaddress',
  ],
  nas: ['nasname', 'secret'],
};

/** The schema in which the tables are, as `information_schema` names it. */
export const isOurSchema = (dialect: RadiusDialect): string =>
  dialect === 'postgresql' ? 'table_schema = any(current_schemas(false))' : 'table_schema = database()';

/** Milliseconds since 1970 of a time of FreeRADIUS. */
export const epochMsOf = (dialect: RadiusDialect, time: string): string =>
  dialect === 'postgresql'
    ? `cast(extract(epoch from ${time}) * 1000 as bigint)`
    : `cast(unix_timestamp(${time}) * 1000 as signed)`;

/** An IP address without the length of its network. */
export const addressOf = (dialect: RadiusDialect, column: string): string =>
  dialect === 'postgresql' ? `host(${column})` : column;

/**
 * A user of ours is only complete with this attribute of the request, which our policy sets.
 * So a server without the policy, which would not keep the limits, lets nobody in.
 * The attribute is part of every FreeRADIUS 3.
 */
export const marker = { attribute: 'Tmp-String-9', value: 'voucherd' } as const;
