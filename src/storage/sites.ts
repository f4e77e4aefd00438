import type { Knex } from 'knex';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { raiseRevisions } from './revisions.js';
import { inTransaction } from './transactions.js';

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

/** A site can't be added to a removed controller, or activated on it. */
export class ControllerRemoved extends Error {
  override readonly name = 'ControllerRemoved';
}

export interface SiteTable {
  /** Returns the new site's id. Throws `ControllerRemoved` if its controller was removed. */
  add(site: Omit<StoredSite, 'id'>, at: number): Promise<number>;
  all(): Promise<StoredSite[]>;
  /** Returns false when the site does not exist. */
  rename(id: number, name: string): Promise<boolean>;
  /** Returns false when the site does not exist. Throws `ControllerRemoved` like `add`. */
  setActive(id: number, active: boolean): Promise<boolean>;
}

/** The table of sites. Every change raises their revision. */
export const makeSiteTable = ({ read, write }: Database): SiteTable => ({
  add: (site, at) =>
    inSitesTransaction(write, async (transaction) => {
      await assertControllerExists(transaction, site.controllerId, 'the controller was removed');
      const [row] = await transaction('sites')
        .insert({ ...columns.toNewRow(site), created_at: at })
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
 * Runs a transaction that changes sites or controllers. Raising their revision first locks out other such transactions,
 * so what this one reads still holds when it writes.
 */
export const inSitesTransaction = <T>(write: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> =>
  inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['sites']);
    return work(transaction);
  });

/** The sites of a controller, read in a transaction. */
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
