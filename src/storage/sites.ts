import type { Knex } from 'knex';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { raiseRevisions } from './revisions.js';
import { inTransaction } from './transactions.js';

/** A site as it is stored. */
export interface StoredSite {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly controllerId: number;
  readonly controllerSite: string | null;
}

const columns = defineColumns<StoredSite>({
  id: 'plain',
  name: 'plain',
  active: 'boolean',
  controllerId: 'plain',
  controllerSite: 'plain',
});

/** A site that was to be active, on a controller that was removed. */
export class ControllerRemoved extends Error {
  override readonly name = 'ControllerRemoved';
}

export interface SiteTable {
  /** Throws `ControllerRemoved` when there is no one left to make its vouchers. */
  add(site: Omit<StoredSite, 'id'>, at: number): Promise<number>;
  all(): Promise<StoredSite[]>;
  /** Returns false when there is no such site. */
  rename(id: number, name: string): Promise<boolean>;
  /** Returns false when there is no such site. Throws `ControllerRemoved` as well. */
  setActive(id: number, active: boolean): Promise<boolean>;
}

export const makeSiteTable = ({ read, write }: Database): SiteTable => ({
  add: (site, at) =>
    inSitesTransaction(write, async (transaction) => {
      await assertControllerExists(transaction, site.controllerId, 'the controller was removed');
      const [row] = await transaction('sites')
        .insert({ ...columns.toRow(site), created_at: at })
        .returning<{ id: number }[]>('id');
      return row?.id ?? 0;
    }),
  all: async () => columns.fromRows(await read('sites').select(columns.aliases).orderBy('id')),
  rename: (id, name) =>
    inSitesTransaction(
      write,
      async (transaction) => (await transaction('sites').where({ id }).update({ name })) > 0,
    ),
  setActive: (id, active) =>
    inSitesTransaction(write, async (transaction) => {
      const [site] = columns.fromRows(await transaction('sites').select(columns.aliases).where({ id }));
      if (!site) return false;
      if (active)
        await assertControllerExists(
          transaction,
          site.controllerId,
          `the controller of site ${String(id)} was removed: add a site on another one`,
        );
      await transaction('sites').where({ id }).update({ active });
      return true;
    }),
});

/**
 * A transaction that changes sites or controllers. Their revision comes first: whoever has raised it is alone with
 * them until the end, so what was looked at still holds when it is changed.
 */
export const inSitesTransaction = <T>(write: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> =>
  inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['sites']);
    return work(transaction);
  });

/** The sites of a controller, as a transaction sees them. */
export const findSitesOfController = async (transaction: Knex, controllerId: number): Promise<StoredSite[]> =>
  columns.fromRows(
    await transaction('sites').select(columns.aliases).where({ controller_id: controllerId }).orderBy('id'),
  );

const assertControllerExists = async (
  transaction: Knex,
  controllerId: number,
  text: string,
): Promise<void> => {
  const removed = await transaction('controllers')
    .where({ id: controllerId })
    .whereNotNull('removed_at')
    .first<{ id: number } | undefined>('id');
  if (removed) throw new ControllerRemoved(text);
};
