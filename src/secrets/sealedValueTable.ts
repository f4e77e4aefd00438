import type { Knex } from 'knex';
import {
  connectionBinding,
  credentialsBinding,
  orderCodesBinding,
  totpBinding,
  webhookBinding,
  wifiBinding,
  type Binding,
} from './encryption.js';
import type { SealedValue } from './rotationSafeWriter.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';

/** The sealed values of all tables. */
export interface SealedValues {
  all(): Promise<string[]>;
  withBindings(): Promise<SealedValue[]>;
  /** Changes all values in one transaction and returns how many there were. */
  reseal(change: (sealed: string, binding: Binding) => string): Promise<number>;
}

interface SealedTable {
  readonly table: string;
  /** Further columns that a value's binding depends on. */
  readonly others: readonly string[];
  readonly columns: Readonly<Record<string, (row: Row) => Binding>>;
}

const sealedTables: readonly SealedTable[] = [
  {
    table: 'controllers',
    others: ['kind', 'settings'],
    columns: {
      sealed_credentials: ({ id, kind, settings }) =>
        credentialsBinding({
          id: Number(id),
          kind: String(kind),
          settings: JSON.parse(String(settings)) as Record<string, unknown>,
        }),
    },
  },
  {
    table: 'webhooks',
    others: [],
    columns: {
      sealed_address: ({ id }) => webhookBinding(Number(id), 'address'),
      sealed_secrets: ({ id }) => webhookBinding(Number(id), 'secrets'),
    },
  },
  {
    table: 'users',
    others: [],
    columns: {
      sealed_totp_secret: ({ id }) => totpBinding(Number(id), 'secret'),
      sealed_totp_enrolment: ({ id }) => totpBinding(Number(id), 'enrolment'),
    },
  },
  {
    table: 'intents',
    others: [],
    columns: { sealed_codes: ({ id }) => orderCodesBinding(String(id)) },
  },
  {
    table: 'sites',
    others: [],
    columns: { sealed_wifi_password: ({ id }) => wifiBinding(Number(id)) },
  },
  {
    table: 'connections',
    others: ['name', 'secret_for'],
    columns: {
      sealed_secret: ({ name, secret_for: secretFor }) => connectionBinding(String(name), String(secretFor)),
    },
  },
];

/** Access to all sealed values, for a rotation of the secret key. */
export const makeSealedValues = ({ read, write }: Database): SealedValues => ({
  all: async () => {
    const rows = await Promise.all(
      sealedTables.map(({ table, columns }) => read(table).select<Row[]>(Object.keys(columns))),
    );
    return rows
      .flat()
      .flatMap((row) => Object.values(row))
      .filter((value) => typeof value === 'string');
  },
  withBindings: async () => {
    const values = await Promise.all(
      sealedTables.map(async ({ table, others, columns }) => {
        const rows = await read(table).select<Row[]>('id', ...others, ...Object.keys(columns));
        return rows.flatMap((row) =>
          Object.entries(columns).flatMap(([column, bindingOf]) => {
            const value = row[column];
            return typeof value === 'string' ? [{ value, binding: bindingOf(row) }] : [];
          }),
        );
      }),
    );
    return values.flat();
  },
  reseal: (change) =>
    inTransaction(write, async (transaction) => {
      // The write comes first, so that SQLite takes its lock before it reads.
      // Running services reload everything.
      await raiseRevisions(transaction, ['sites', 'webhooks', 'settings']);
      let count = 0;
      for (const table of sealedTables) count += await resealTable(transaction, table, change);
      return count;
    }),
});

type Row = { readonly id: number | string } & Readonly<Record<string, string | number | null>>;

const resealTable = async (
  transaction: Knex,
  { table, others, columns }: SealedTable,
  change: (sealed: string, binding: Binding) => string,
): Promise<number> => {
  let count = 0;
  const names = Object.keys(columns);
  // Nobody is kept from referring to these rows, as an order does to its site and its controller.
  const rows = await transaction(table)
    .where((where) => names.reduce((some, name) => some.orWhereNotNull(name), where))
    .orderBy('id')
    .forNoKeyUpdate()
    .select<Row[]>('id', ...others, ...names);
  for (const row of rows) {
    const changed: Record<string, string> = {};
    for (const [column, bindingOf] of Object.entries(columns)) {
      const sealed = row[column];
      if (typeof sealed === 'string') changed[column] = change(sealed, bindingOf(row));
    }
    await transaction(table).where({ id: row.id }).update(changed);
    count += Object.keys(changed).length;
  }
  return count;
};
