import type { Knex } from 'knex';

/**
 * knex puts the statement in front of the driver's message, and messages reach clients and logs. This restores the
 * driver's own message before anybody else sees the error, so that no text has to be searched for SQL.
 */
export const hideStatements = (db: Knex): Knex =>
  db.on('query-error', (error: Error, { sql }: { readonly sql: string }) => {
    const statement = `${sql} - `;
    if (error.message.startsWith(statement)) error.message = error.message.slice(statement.length);
  });
