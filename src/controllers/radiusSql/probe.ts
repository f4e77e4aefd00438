import type { Controller, ControllerAdvice } from '../controller.js';
import { ControllerError } from '../errors.js';
import type { RadiusCalls } from './calls.js';
import type { RadiusConnection } from './database.js';
import { policyText } from './policy.js';
import { ensureVoucherTable, isOurSchema, marker, requiredColumns } from './schema.js';
import type { RadiusDialect, RadiusSettings } from './settings.js';

interface RadiusProbeOptions {
  readonly name: string;
  readonly settings: RadiusSettings;
  readonly run: RadiusCalls['run'];
}

const maxVersionLength = 40;

/** Looks for what the database and the server lack, changing nothing but making our own table. */
export const makeRadiusProbe =
  ({ name, settings, run }: RadiusProbeOptions): Controller['probe'] =>
  (onStep) =>
    run(async (connection) => {
      onStep?.('connected');
      onStep?.('signed-in');
      const [server] = await connection.query<{ version: string }>('select version() as version');
      const version = (server?.version ?? '').slice(0, maxVersionLength);
      const missing = await findMissing(connection, settings);
      if (missing.length > 0)
        throw new ControllerError(name, {
          kind: 'refused',
          reason: 'request',
          said: `missing in FreeRADIUS' schema: ${missing.join(', ')}`,
        });
      await ensureVoucherTable(connection, settings.dialect);
      await assertMayWrite(connection);
      onStep?.('version', version);
      const advice = await findAdvice(connection, settings);
      onStep?.('sites');
      return { version, sites: [{ id: 'default', name: settings.database }], advice };
    });

/** Tables and columns that are not there. */
const findMissing = async (connection: RadiusConnection, { dialect }: RadiusSettings): Promise<string[]> => {
  const tables = Object.keys(requiredColumns);
  const found = await connection.query<{ t: string; c: string }>(
    `select lower(table_name) as t, lower(column_name) as c from information_schema.columns
     where ${isOurSchema(dialect)} and lower(table_name) in (${tables.map(() => '?').join(', ')})`,
    tables,
  );
  const known = new Set(found.map(({ t, c }) => `${t}.${c}`));
  return tables.flatMap((table) => {
    if (![...known].some((column) => column.startsWith(`${table}.`))) return [table];
    return (requiredColumns[table] ?? [])
      .map((column) => `${table}.${column}`)
      .filter((column) => !known.has(column));
  });
};

/** Writes and takes back a user that nobody can be. */
const assertMayWrite = async (connection: RadiusConnection): Promise<void> => {
  await connection.query('begin');
  for (const table of ['radcheck', 'radreply'])
    await connection.query(`insert into ${table} (username, attribute, op, value) values (?, ?, ?, ?)`, [
      'voucherd-test',
      marker.attribute,
      '==',
      'voucherd-test',
    ]);
  // Our own table may have been made by an administrator.
  await connection.query(
    `insert into voucherd_vouchers (code, reference, site, name, max_uses, minutes, down, up, quota_mb, created_at)
     values ('voucherd-test', '', '', '', 0, 0, 0, 0, 0, 0)`,
  );
  await connection.query(`delete from voucherd_vouchers where code = 'voucherd-test'`);
  for (const table of ['radcheck', 'radreply', 'radusergroup'])
    await connection.query(`delete from ${table} where username = ?`, ['voucherd-test']);
  await connection.query('rollback');
};

/** The line that adds the index by which accounting is read; undefined where it is there. */
const findMissingIndex = async (
  connection: RadiusConnection,
  { dialect }: RadiusSettings,
): Promise<string | undefined> => {
  const [known] = await connection.query(
    dialect === 'postgresql'
      ? `select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
         where i.indrelid = 'radacct'::regclass and i.indisvalid and i.indpred is null and a.attname = 'username'`
      : `select 1 from information_schema.statistics where ${isOurSchema(dialect)} and lower(table_name) = 'radacct'
         and lower(column_name) = 'username' and seq_in_index = 1`,
  );
  if (known) return undefined;
  return dialect === 'postgresql'
    ? 'create index concurrently on radacct (username);'
    : 'create index username on radacct (username);';
};

/** Tables of MySQL whose engine knows no transactions, and which. */
const findEngines = async (
  connection: RadiusConnection,
  { dialect }: RadiusSettings,
): Promise<readonly { readonly t: string; readonly e: string }[]> =>
  dialect === 'postgresql'
    ? []
    : connection.query(
        `select table_name as t, engine as e from information_schema.tables where ${isOurSchema(dialect)}
         and lower(table_name) in ('radcheck', 'radreply', 'radusergroup', 'voucherd_vouchers')
         and engine <> 'InnoDB' order by table_name`,
      );

/** What to look at on the server: a database does not show its configuration. */
const findAdvice = async (
  connection: RadiusConnection,
  settings: RadiusSettings,
): Promise<ControllerAdvice[]> => {
  const accounted = await connection.query('select 1 from radacct limit 1');
  const nas = await connection.query('select secret from nas limit 1');
  const index = await findMissingIndex(connection, settings);
  // Without the index all accounting would be read.
  const ours =
    index === undefined &&
    (await connection.query(
      'select 1 from radacct a join voucherd_vouchers v on v.code = a.username limit 1',
    ));
  const advice: ControllerAdvice[] = [];
  if (accounted.length === 0) advice.push({ code: 'radius-accounting', values: {} });
  if (nas.length === 0) advice.push({ code: 'radius-nas', values: {} });
  if (index !== undefined) advice.push({ code: 'radius-index', values: {}, lines: index });
  for (const { t: table, e: engine } of await findEngines(connection, settings))
    advice.push({
      code: 'radius-engine',
      values: { table, engine },
      lines: `alter table ${table} engine=InnoDB;`,
    });
  // A guest has used a voucher: without the policy nobody would have been let in.
  if (!ours || ours.length === 0) advice.push(...serverAdvice(settings.dialect));
  return advice;
};

const serverAdvice = (dialect: RadiusDialect): readonly ControllerAdvice[] => [
  {
    code: 'radius-policy',
    values: { file: '/etc/freeradius/3.0/policy.d/voucherd' },
    lines: policyText(dialect),
  },
  {
    code: 'radius-authorize',
    values: { file: '/etc/freeradius/3.0/sites-enabled/default' },
    lines: 'voucherd',
  },
  { code: 'radius-restart', values: {}, lines: 'systemctl restart freeradius' },
];
