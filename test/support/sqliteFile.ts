import sqlite3 from 'sqlite3';

/** Runs statements on a SQLite file, which is created if it is missing. */
export const executeSql = (file: string, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const db = new sqlite3.Database(file, () =>
      db.exec(sql, (error) => db.close(() => (error ? reject(error) : resolve()))),
    );
  });
