import knex from 'knex';
import { simulatedFile } from '../../src/controllers/simulated/simulated.js';
import type { Voucher } from '../../src/vouchers/voucherTable.js';
import { someRecord, someVoucher } from './records.js';
import type { TestService } from './service.js';

/** The controller that a site is tied to. */
export const controllerOf = async ({ tables }: TestService, siteId: number): Promise<number> => {
  const site = (await tables.sites.all()).find(({ id }) => id === siteId);
  if (!site) throw new Error(`no site ${siteId}`);
  return site.controllerId;
};

/** Works on the file of the simulated controller of a site. */
const withControllerFile = async <T>(
  service: TestService,
  siteId: number,
  work: (db: knex.Knex) => Promise<T>,
): Promise<T> => {
  const filename = simulatedFile(service.dataDir, await controllerOf(service, siteId));
  const db = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
};

/** What the simulated controller of a site keeps in its own file, in the order of creation. */
export const controllerVouchers = (
  service: TestService,
  siteId: number,
): Promise<Record<string, unknown>[]> =>
  withControllerFile(service, siteId, async (db) => db<Record<string, unknown>>('vouchers').orderBy('rowid'));

/** Takes from the simulated controller of a site what it has made. */
export const removeControllerVouchers = async (service: TestService, siteId: number): Promise<void> => {
  await withControllerFile(service, siteId, async (db) => db('vouchers').delete());
};

/** Records a voucher in the service's own records, as if the controller of the site had just made it. */
export const recordVoucher = async (
  service: TestService,
  siteId: number,
  values: Partial<Voucher>,
): Promise<void> => {
  const place = { siteId, controllerId: await controllerOf(service, siteId) };
  // A name of the site's own: no code is recorded twice under one name.
  const voucher = someVoucher({ name: `2026-11-14_Gast ${String(siteId)}`, ...values });
  const record = someRecord(place, { voucher });
  if (!(await service.tables.vouchers.record(record))) throw new Error('it is recorded already');
};

/** Rows of one of the service's tables, in the order in which they were written. */
export const rowsOf = ({ database }: TestService, table: string): Promise<Record<string, unknown>[]> =>
  database.read<Record<string, unknown>>(table).orderBy('rowid');

/** Makes every insert into a table fail with this text until the returned function is called. */
export const failInserts = async (
  { database }: TestService,
  table: string,
  text: string,
): Promise<() => Promise<void>> => {
  const { write } = database;
  const literal = `'${text.replaceAll("'", "''")}'`;
  await write.raw(
    `create trigger failing before insert on ${table} begin select raise(abort, ${literal}); end`,
  );
  return async () => {
    await write.raw('drop trigger failing');
  };
};

/** Hides a table, so that whatever needs it fails, until the returned function is called. */
export const hideTable = async ({ database }: TestService, table: string): Promise<() => Promise<void>> => {
  const { write } = database;
  await write.schema.renameTable(table, 'hidden');
  return async () => {
    await write.schema.renameTable('hidden', table);
  };
};
