import type { Database } from './database.js';
import { raise } from './revisions.js';
import { inTransaction } from './transaction.js';

/** A controller as it is stored. */
export interface StoredController {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** JSON of what it is signed in to with, sealed; null where nothing is needed. */
  readonly sealedCredentials: string | null;
}

interface Row {
  id: number;
  name: string;
  kind: string;
  settings: string;
  sealed_credentials: string | null;
}

export type NewController = Pick<StoredController, 'name' | 'kind' | 'settings'> &
  Partial<Pick<StoredController, 'sealedCredentials'>>;

export interface ControllerTable {
  add(controller: NewController, at: number): Promise<number>;
  all(): Promise<StoredController[]>;
}

export const makeControllerTable = ({ read, write }: Database): ControllerTable => ({
  add: ({ name, kind, settings, sealedCredentials = null }, at) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('controllers')
        .insert({
          name,
          kind,
          settings: JSON.stringify(settings),
          sealed_credentials: sealedCredentials,
          created_at: at,
        })
        .returning<{ id: number }[]>('id');
      await raise(transaction, ['sites']);
      return row?.id ?? 0;
    }),
  all: async () =>
    (
      await read<Row>('controllers')
        .select('id', 'name', 'kind', 'settings', 'sealed_credentials')
        .whereNull('removed_at')
        .orderBy('id')
    ).map(({ sealed_credentials, settings, ...row }) => ({
      ...row,
      settings: JSON.parse(settings) as Record<string, unknown>,
      sealedCredentials: sealed_credentials,
    })),
});
