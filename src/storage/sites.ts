import type { Database } from './database.js';
import { raise } from './revisions.js';
import { inTransaction } from './transaction.js';

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

export interface SiteTable {
  add(site: Omit<StoredSite, 'id'>, at: number): Promise<number>;
  all(): Promise<StoredSite[]>;
  /** Returns false when there is no such site. */
  setActive(id: number, active: boolean): Promise<boolean>;
}

export const makeSiteTable = ({ read, write }: Database): SiteTable => ({
  add: ({ name, active, controllerId, controllerSite }, at) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('sites')
        .insert({
          name,
          active,
          controller_id: controllerId,
          controller_site: controllerSite,
          created_at: at,
        })
        .returning<{ id: number }[]>('id');
      await raise(transaction, ['sites']);
      return row?.id ?? 0;
    }),
  all: async () =>
    (await read<Row>('sites').orderBy('id')).map((row) => ({
      id: row.id,
      name: row.name,
      active: Boolean(row.active),
      controllerId: row.controller_id,
      controllerSite: row.controller_site,
    })),
  setActive: (id, active) =>
    inTransaction(write, async (transaction) => {
      const changed = await transaction('sites').where({ id }).update({ active });
      await raise(transaction, ['sites']);
      return changed > 0;
    }),
});
