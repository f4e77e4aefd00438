import { connect, isIP, type Socket } from 'node:net';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { errorCode } from '../../lib/errorCode.js';
import {
  ImportError,
  isSourceTable,
  secondsColumn,
  sourceTables,
  type SourceRow,
  type SourceRows,
  type SourceTable,
} from './sourceRows.js';

/** How the tool's database is reached. */
export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** A Unix socket in place of host and port. */
  readonly socket?: string;
  /**
   * Encrypt the connection, and check that the server's certificate is for this host,
   * by the system's authorities or by these.
   */
  readonly tls?: { readonly ca?: string };
}

const connectTimeoutMs = 10_000;
/** A read of one page; a server that falls silent must not hold the import. */
const queryTimeoutMs = 60_000;
const pageSize = 5000;

/** Parses `mysql://user@host:3306/database`. The address must not hold a password: other users would see it. */
export const parseMysqlAddress = (text: string): MysqlAddress => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed = 'mysql://USER@HOST:PORT/DATABASE, or mysql://USER@localhost/DATABASE?socket=/path';
  if (!url || !['mysql:', 'mariadb:'].includes(url.protocol) || url.hostname === '' || url.username === '')
    throw new ImportError('option-invalid', `--from is not valid: ${allowed}`);
  if (url.password !== '')
    throw new ImportError(
      'option-invalid',
      '--from must not hold the password, which other users of this machine could see: give --password-file FILE or --password-env VAR',
    );
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '' || database.includes('/'))
    throw new ImportError('option-invalid', `--from names no database: ${allowed}`);
  const socket = url.searchParams.get('socket');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    database,
    ...(socket !== null && { socket }),
  };
};

/** Reads the tool's database, in one consistent view, without writing anything. */
export const readMysql = async (
  address: MysqlAddress,
  password: string,
  onRows?: (rows: number) => void,
): Promise<SourceRows> => {
  const { createConnection } = await import('mysql2/promise');
  let connection: Connection | undefined;
  try {
    connection = await createConnection({
      host: address.host,
      port: address.port,
      ...(address.socket !== undefined && { socketPath: address.socket }),
      user: address.user,
      password,
      database: address.database,
      charset: 'utf8mb4',
      connectTimeout: connectTimeoutMs,
      multipleStatements: false,
      ...(address.tls && { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...address.tls } }),
      ...(address.tls && isIP(address.host) !== 0 && { stream: () => connectForTls(address) }),
      // Everything as text: what a dump holds.
      typeCast: (field) => field.string(),
    });
    return await readTables(connection, address.database, onRows);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    if (errorCode(error) === 'HANDSHAKE_SSL_ERROR')
      throw new ImportError(
        'source-unreadable',
        "the tool's database can not be read: its certificate must be for the host in the address, and trusted by this system or by --tls-ca-file",
      );
    throw new ImportError(
      'source-unreadable',
      `the tool's database can not be read (${errorCode(error) || 'unknown'}): check address, user and password`,
    );
  } finally {
    connection?.destroy();
  }
};

/**
 * mysql2 does not tell Node which IP address the certificate has to be for, so Node would compare it with
 * `localhost`, unless the socket has a host, as it has after the look-up of a name.
 */
const connectForTls = ({ host, port, socket }: MysqlAddress): Socket =>
  Object.assign(socket === undefined ? connect(port, host) : connect(socket), { _host: host });

const readTables = async (
  connection: Connection,
  database: string,
  onRows: ((rows: number) => void) | undefined,
): Promise<SourceRows> => {
  const query = async (sql: string, values: readonly (string | number)[] = []): Promise<SourceRow[]> => {
    const [rows] = await connection.query<RowDataPacket[]>({
      sql,
      values: [...values],
      timeout: queryTimeoutMs,
    });
    return rows;
  };
  await query('set session transaction isolation level repeatable read');
  await query('start transaction with consistent snapshot, read only');
  const columns = await query(
    'select table_name as tableName, column_name as columnName, data_type as dataType from information_schema.columns where table_schema = ?',
    [database],
  );
  const tables = new Map<SourceTable, SourceRow[]>();
  let read = 0;
  for (const table of Object.keys(sourceTables).filter(isSourceTable)) {
    const own = columns.filter(({ tableName }) => tableName === table);
    if (own.length === 0) continue;
    const rows: SourceRow[] = [];
    tables.set(table, rows);
    const statement = selectOf(table, own);
    for (let after = 0; ;) {
      const page = await query(statement, [after, pageSize]);
      rows.push(...page);
      onRows?.((read += page.length));
      after = Number(page.at(-1)?.['id']);
      if (page.length < pageSize) break;
    }
  }
  // The zone of a session is the server's own, as it is for the tool.
  return { tables, shownIn: 'server zone' };
};

/** In the order of the ids, in pages. Of times also the seconds since 1970, which depend on no zone. */
const selectOf = (table: SourceTable, own: readonly SourceRow[]): string => {
  const wanted = own.filter(({ columnName }) =>
    (sourceTables[table] as readonly string[]).includes(columnName ?? ''),
  );
  const selected = wanted.map(({ columnName: name }) => `\`${name ?? ''}\``);
  const seconds = wanted
    .filter(({ dataType }) => dataType === 'timestamp')
    .map(({ columnName: name }) => `unix_timestamp(\`${name ?? ''}\`) as \`${secondsColumn(name ?? '')}\``);
  return `select ${[...new Set(['`id`', ...selected]), ...seconds].join(', ')} from \`${table}\` where id > ? order by id limit ?`;
};
