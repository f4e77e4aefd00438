import type { Knex } from 'knex';
import { batched } from '../batch.js';
import type { Database } from './database.js';

/** What can change under a reader: keys, sites with their controllers, webhooks, the vouchers of one site. */
export type RevisionName = 'keys' | 'sites' | 'webhooks' | `site:${number}`;

export interface Revisions {
  /** The current revision, read after this call. At most one query per turn, however many ask. */
  current(name: RevisionName): Promise<number>;
}

export const makeRevisions = ({ read }: Database): Revisions => ({
  current: batched(async (names) => {
    const rows = await read<{ name: string; value: number }>('revisions')
      .select('name', 'value')
      .whereIn('name', [...new Set(names)]);
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    return names.map((name) => values.get(name) ?? 0);
  }),
});

/** Raises revisions, within the transaction that makes the change. In order of name, so that two can't deadlock. */
export const raise = async (db: Knex, names: Iterable<RevisionName>): Promise<void> => {
  const rows = [...new Set(names)].sort().map((name) => ({ name, value: 1 }));
  await db('revisions')
    .insert(rows)
    .onConflict('name')
    .merge({ value: db.raw('revisions.value + 1') });
};
