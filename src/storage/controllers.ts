import type { Database } from './database.js';
import { raise } from './revisions.js';
import { inTransaction } from './transaction.js';

/** A controller as it is stored. */
export interface StoredController {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

interface Row {
  id: number;
  name: string;
  kind: string;
  settings: string;
}

export interface ControllerTable {
  add(controller: Omit<StoredController, 'id'>, at: number): Promise<number>;
  all(): Promise<StoredController[]>;
}

export const makeControllerTable = ({ read, write }: Database): ControllerTable => ({
  add: ({ name, kind, settings }, at) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('controllers')
        .insert({ name, kind, settings: JSON.stringify(settings), created_at: at })
        .returning<{ id: number }[]>('id');
      await raise(transaction, ['sites']);
      return row?.id ?? 0;
    }),
  all: async () =>
    (await read<Row>('controllers').select('id', 'name', 'kind', 'settings').orderBy('id')).map((row) => ({
      ...row,
      settings: JSON.parse(row.settings) as Record<string, unknown>,
    })),
});
