import sqlite3 from 'sqlite3';

/** A SQLite file. */
export interface Database {
  all<Row>(sql: string, ...values: unknown[]): Promise<Row[]>;
  get<Row>(sql: string, ...values: unknown[]): Promise<Row | undefined>;
  /** Resolves with the id of the row that was added, and the number of those that were changed. */
  run(sql: string, ...values: unknown[]): Promise<{ id: number; changes: number }>;
  close(): Promise<void>;
}

const tables = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists members (id integer primary key, name text not null unique, password text not null);
  create table if not exists tokens (hash text primary key, member_id integer not null);
  create table if not exists things (id integer primary key autoincrement, owner text not null, body text not null);
  create table if not exists loans (
    id integer primary key, thing_id integer not null, borrower text not null,
    first_day text not null, last_day text not null
  );
  create table if not exists reminders (id integer primary key, thing_id integer not null, asked_by text not null, callback_url text);
  create table if not exists categories (id integer primary key check (id = 1), tree text not null);
`;

/** Opens the file, and makes what is not there yet. */
export const openDatabase = async (file: string): Promise<Database> => {
  const connection = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, (error) => {
      if (error) reject(error);
      else resolve(opened);
    });
  });
  const ask = <T>(start: (done: (error: Error | null, result: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      start((error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  await ask<void>((done) => connection.exec(tables, (error) => done(error, undefined)));
  return {
    all: <Row>(sql: string, ...values: unknown[]) =>
      ask<Row[]>((done) => connection.all<Row>(sql, values, done)),
    get: <Row>(sql: string, ...values: unknown[]) =>
      ask<Row | undefined>((done) => connection.get<Row | undefined>(sql, values, done)),
    run: (sql, ...values) =>
      ask((done) =>
        connection.run(sql, values, function (error) {
          done(error, { id: this.lastID, changes: this.changes });
        }),
      ),
    close: () => ask<void>((done) => connection.close((error) => done(error, undefined))),
  };
};
