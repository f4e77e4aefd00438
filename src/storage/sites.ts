import type { Knex } from 'knex';
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

interface Row {
  id: number;
  name: string;
  active: boolean | number;
  controller_id: number;
  controller_site: string | null;
}

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
  add: ({ name, active, controllerId, controllerSite }, at) =>
    inSitesTransaction(write, async (transaction) => {
      await assertControllerExists(transaction, controllerId, 'the controller was removed');
      const [row] = await transaction('sites')
        .insert({
          name,
          active,
          controller_id: controllerId,
          controller_site: controllerSite,
          created_at: at,
        })
        .returning<{ id: number }[]>('id');
      return row?.id ?? 0;
    }),
  all: async () => (await read<Row>('sites').orderBy('id')).map(fromRow),
  rename: (id, name) =>
    inSitesTransaction(
      write,
      async (transaction) => (await transaction('sites').where({ id }).update({ name })) > 0,
    ),
  setActive: (id, active) =>
    inSitesTransaction(write, async (transaction) => {
      const site = await transaction<Row>('sites').where({ id }).first();
      if (!site) return false;
      if (active)
        await assertControllerExists(
          transaction,
          site.controller_id,
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
  (await transaction<Row>('sites').where({ controller_id: controllerId }).orderBy('id')).map(fromRow);

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

const fromRow = (row: Row): StoredSite => ({
  id: row.id,
  name: row.name,
  active: Boolean(row.active),
  controllerId: row.controller_id,
  controllerSite: row.controller_site,
});
