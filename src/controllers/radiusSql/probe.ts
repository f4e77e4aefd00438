import type { Controller } from '../controller.js';
import { ControllerError } from '../errors.js';
import type { RadiusCalls } from './calls.js';
import type { RadiusConnection } from './database.js';
import { serverSteps } from './policy.js';
import { ensureVoucherTable, marker, requiredColumns } from './schema.js';
import type { RadiusSettings } from './settings.js';

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
      const missing = await findMissing(connection);
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
const findMissing = async (connection: RadiusConnection): Promise<string[]> => {
  const tables = Object.keys(requiredColumns);
  const found = await connection.query<{ t: string; c: string }>(
    `select lower(table_name) as t, lower(column_name) as c from information_schema.columns
     where lower(table_name) in (${tables.map(() => '?').join(', ')})`,
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
  for (const table of ['radcheck', 'radreply', 'radusergroup'])
    await connection.query(`delete from ${table} where username = ?`, ['voucherd-test']);
  await connection.query('rollback');
};

/** What to look at on the server: a database does not show its configuration. */
const findAdvice = async (connection: RadiusConnection, { dialect }: RadiusSettings): Promise<string[]> => {
  const accounted = await connection.query('select 1 from radacct limit 1');
  const ours = await connection.query(
    'select 1 from radacct a join voucherd_vouchers v on v.code = a.username limit 1',
  );
  const nas = await connection.query('select 1 from nas limit 1');
  return [
    ...(accounted.length === 0
      ? [
          'No accounting was recorded yet (radacct is empty). Without it time, devices and volume never count: switch accounting on at the access points, and keep "sql" in the section accounting.',
        ]
      : []),
    ...(nas.length === 0
      ? [
          'The table nas is empty, so guests who are online can not be disconnected when their voucher is revoked: add each access point with its address and secret.',
        ]
      : []),
    // A guest has used a voucher: without the policy nobody would have been let in.
    ...(ours.length === 0 ? [serverSteps(dialect)] : []),
  ];
};
