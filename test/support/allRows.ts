import sqlite3 from 'sqlite3';

type Row = Readonly<Record<string, unknown>>;

/** All rows of all tables of a SQLite file, by table, in the order of their columns' values. */
export const readAllRows = async (file: string): Promise<Record<string, Row[]>> => {
  const db = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  const all = (sql: string): Promise<Row[]> =>
    new Promise((resolve, reject) =>
      db.all(sql, (error, rows) => (error ? reject(error) : resolve(rows as Row[]))),
    );
  try {
    const tables: Record<string, Row[]> = {};
    const names = await all(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
    );
    for (const { name } of names) {
      const rows = await all(`select * from ${String(name)}`);
      tables[String(name)] = rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    }
    return tables;
  } finally {
    await new Promise((resolve) => db.close(resolve));
  }
};
