import type { Knex } from 'knex';
import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import type { Columns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction, insertRows } from '../database/transactions.js';
import { groupBy } from '../lib/collections.js';
import { doSitesExist } from './siteTable.js';

/** Something with a name that is for all sites or for some of them. */
interface SiteBound {
  readonly name: string;
  /** The sites that it is for; null for all. */
  readonly siteIds: readonly number[] | null;
}

/** Such a thing as it is written. */
interface SiteBoundValues extends SiteBound {
  /** What names are compared by. */
  readonly nameKey: string;
}

/** Such a thing as its own table has it; its sites are in another one. */
interface SiteBoundRow {
  readonly id: number;
  readonly forAllSites: boolean;
}

/** What the tables are called by: `printers` and `printer_sites`. */
type Noun = 'printer' | 'profile';

/** Why one was not added, changed or removed. */
export type SiteBoundConflict<N extends Noun> = 'name-taken' | 'unknown-site' | `unknown-${N}`;

export interface SiteBoundTable<Item, Values, N extends Noun> {
  /** All, or those with these ids. */
  all(ids?: readonly number[]): Promise<Item[]>;
  /** Returns the new one's id. */
  add(values: Values, audit: AuditDraft): Promise<number | SiteBoundConflict<N>>;
  /** Replaces all of it. */
  change(id: number, values: Values, audit: AuditDraft): Promise<'changed' | SiteBoundConflict<N>>;
  remove(id: number, audit: AuditDraft): Promise<'removed' | SiteBoundConflict<N>>;
}

interface SiteBoundTableOptions<Item, Values, Row, N extends Noun> {
  readonly noun: N;
  readonly columns: Columns<Row>;
  toRow(values: Values): Partial<Row>;
  toItem(row: Row, siteIds: SiteBound['siteIds']): Item;
  /** Runs in the transaction after its values and sites were replaced. */
  onChanged?(transaction: Knex, id: number, values: Values): Promise<void>;
  /** Runs in the transaction before it is removed. */
  onRemove?(transaction: Knex, id: number): Promise<void>;
}

/** A table of named things, each for all sites or for some. Every change raises their revision. */
export const makeSiteBoundTable = <
  Item,
  Values extends SiteBoundValues,
  Row extends SiteBoundRow,
  N extends Noun,
>(
  { read, write }: Database,
  { noun, columns, toRow, toItem, onChanged, onRemove }: SiteBoundTableOptions<Item, Values, Row, N>,
): SiteBoundTable<Item, Values, N> => {
  const [table, sitesTable, idColumn] = [`${noun}s` as const, `${noun}_sites`, `${noun}_id`];
  const unknown = `unknown-${noun}` as const;

  /**
   * Raising the revision first locks out other such transactions,
   * so what this one reads still holds when it writes.
   */
  const inOwnTransaction = <T>(work: (transaction: Knex) => Promise<T>): Promise<T> =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, [table]);
      return work(transaction);
    });

  const findName = (transaction: Knex, id: number): Promise<{ name: string } | undefined> =>
    transaction(table).where({ id }).first<{ name: string } | undefined>('name');

  const findConflict = async (
    transaction: Knex,
    id: number,
    { nameKey, siteIds }: Values,
  ): Promise<'name-taken' | 'unknown-site' | undefined> => {
    if (await transaction(table).where({ name_key: nameKey }).whereNot({ id }).first('id'))
      return 'name-taken';
    return siteIds && !(await doSitesExist(transaction, siteIds)) ? 'unknown-site' : undefined;
  };

  const replaceSites = async (transaction: Knex, id: number, { siteIds }: Values): Promise<void> => {
    await transaction(sitesTable)
      .where({ [idColumn]: id })
      .delete();
    const rows = [...new Set(siteIds)].map((siteId) => ({ [idColumn]: id, site_id: siteId }));
    await insertRows(transaction, sitesTable, rows);
  };

  const toEntry = (audit: AuditDraft, id: number, name: string): NewAuditEntry => ({
    ...audit,
    subjectKind: noun,
    subjectId: String(id),
    subjectName: name,
  });

  return {
    all: async (ids) => {
      const [rows, sites] = await Promise.all([
        read(table)
          .modify((rows) => void (ids && rows.whereIn('id', ids)))
          .select<unknown[]>(columns.aliases)
          .orderBy('id'),
        read(sitesTable)
          .modify((rows) => void (ids && rows.whereIn(idColumn, ids)))
          .select<{ ownerId: number; siteId: number }[]>({ ownerId: idColumn, siteId: 'site_id' })
          .orderBy([idColumn, 'site_id']),
      ]);
      const byOwner = groupBy(sites, ({ ownerId }) => ownerId);
      return columns
        .fromRows(rows)
        .map((row) =>
          toItem(row, row.forAllSites ? null : (byOwner.get(row.id) ?? []).map(({ siteId }) => siteId)),
        );
    },
    add: (values, audit) =>
      inOwnTransaction(async (transaction) => {
        const conflict = await findConflict(transaction, 0, values);
        if (conflict) return conflict;
        const [row] = await transaction(table)
          .insert(columns.toNewRow(toRow(values)))
          .returning<{ id: number }[]>('id');
        const id = row?.id ?? 0;
        await replaceSites(transaction, id, values);
        await recordAudit(transaction, toEntry(audit, id, values.name));
        return id;
      }),
    change: (id, values, audit) =>
      inOwnTransaction(async (transaction) => {
        if (!(await findName(transaction, id))) return unknown;
        const conflict = await findConflict(transaction, id, values);
        if (conflict) return conflict;
        await transaction(table)
          .where({ id })
          .update(columns.toRow(toRow(values)));
        await replaceSites(transaction, id, values);
        await onChanged?.(transaction, id, values);
        await recordAudit(transaction, toEntry(audit, id, values.name));
        return 'changed';
      }),
    remove: (id, audit) =>
      inOwnTransaction(async (transaction) => {
        const found = await findName(transaction, id);
        if (!found) return unknown;
        await onRemove?.(transaction, id);
        await transaction(table).where({ id }).delete();
        await recordAudit(transaction, toEntry(audit, id, found.name));
        return 'removed';
      }),
  };
};
