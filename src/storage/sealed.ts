import type { Knex } from 'knex';
import type { Database } from './database.js';
import { raise } from './revisions.js';
import { inTransaction } from './transaction.js';

/** Everything that is sealed, wherever it is stored. */
export interface SealedValues {
  /** Changes all of it, or nothing at all. Returns how many values that were. */
  reseal(change: (sealed: string) => string): Promise<number>;
}

const places: readonly { readonly table: string; readonly columns: readonly string[] }[] = [
  { table: 'controllers', columns: ['sealed_credentials'] },
  { table: 'webhooks', columns: ['sealed_address', 'sealed_secrets'] },
];

export const makeSealedValues = ({ write }: Database): SealedValues => ({
  reseal: (change) =>
    inTransaction(write, async (transaction) => {
      // A write comes first, so that SQLite takes its lock before it reads. Running services read everything again.
      await raise(transaction, ['sites', 'webhooks']);
      let count = 0;
      for (const { table, columns } of places)
        count += await resealTable(transaction, table, columns, change);
      return count;
    }),
});

type Row = { readonly id: number } & Readonly<Record<string, string | number | null>>;

const resealTable = async (
  transaction: Knex,
  table: string,
  columns: readonly string[],
  change: (sealed: string) => string,
): Promise<number> => {
  let count = 0;
  const rows = await transaction(table)
    .forUpdate()
    .select<Row[]>('id', ...columns);
  for (const row of rows) {
    const changed: Record<string, string> = {};
    for (const column of columns) {
      const sealed = row[column];
      if (typeof sealed === 'string') changed[column] = change(sealed);
    }
    const values = Object.keys(changed).length;
    if (values > 0) await transaction(table).where({ id: row.id }).update(changed);
    count += values;
  }
  return count;
};
