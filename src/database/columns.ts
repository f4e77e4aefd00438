/** Booleans are numbers in SQLite, objects are stored as JSON, and all other values as they are. */
type ColumnKind<V> = [V] extends [boolean]
  ? 'boolean'
  : [V] extends [string | number | null]
    ? 'plain'
    : 'json';

type ColumnKinds<T> = { readonly [K in keyof T]-?: ColumnKind<T[K]> };

/** How the properties of T are stored: `maxUses` in the column `max_uses`. */
export interface Columns<T> {
  /** For `select`: the database returns each column under its property's name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** For insert, update and where. Omits undefined values and properties that are not columns. */
  toRow(values: Partial<T>): Record<string, unknown>;
  /** For the insert of a row whose id the database generates. */
  toNewRow(values: Partial<T>): Record<string, unknown>;
  /** Converts the result of selecting `aliases`. It is the same array when there is nothing to convert. */
  fromRows(rows: readonly unknown[]): T[];
}

/**
 * Defines the columns of a table or a join. `columnNames` overrides the names derived from the properties.
 */
export const defineColumns = <T extends object>(
  kinds: ColumnKinds<T>,
  columnNames: { readonly [K in keyof T]?: string } = {},
): Columns<T> => {
  const names = Object.keys(kinds) as (keyof T & string)[];
  const columns = names.map((name) => ({
    name,
    column: columnNames[name] ?? toColumnName(name),
    isJson: kinds[name] === 'json',
  }));
  const converted = names.filter((name) => kinds[name] !== 'plain');
  const toRow = (values: Partial<T>): Record<string, unknown> => {
    const row: Record<string, unknown> = {};
    for (const { name, column, isJson } of columns) {
      const value = values[name];
      if (value !== undefined) row[column] = isJson ? JSON.stringify(value) : value;
    }
    return row;
  };
  return {
    aliases: Object.fromEntries(columns.map(({ name, column }) => [name, column])),
    toRow,
    toNewRow: (values) => {
      const { id: _id, ...row } = toRow(values);
      return row;
    },
    fromRows: (rows) => {
      if (converted.length === 0) return rows as T[];
      return rows.map((row) => {
        const values = { ...(row as Record<string, unknown>) };
        for (const name of converted)
          values[name] = kinds[name] === 'json' ? JSON.parse(String(values[name])) : Boolean(values[name]);
        return values as T;
      });
    },
  };
};

const toColumnName = (property: string): string =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
