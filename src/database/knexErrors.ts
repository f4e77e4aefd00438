import type { Knex } from 'knex';
import { errorCode } from '../lib/errorCode.js';

/** In words, where a client may read it and the driver says little more than its code. */
const plainTexts: Readonly<Record<string, string>> = { SQLITE_FULL: 'the disk of the database is full' };

/**
 * knex puts the statement in front of the driver's message, and messages reach clients and logs. This
 * restores the driver's own message before anybody else sees the error, so that no text has to be searched
 * for SQL.
 */
export const hideStatements = (db: Knex): Knex =>
  db.on('query-error', (error: Error, { sql }: { readonly sql: string }) => {
    const statement = `${sql} - `;
    if (error.message.startsWith(statement)) error.message = error.message.slice(statement.length);
    // The message of what a signal aborted with can't be set.
    const plainText = plainTexts[errorCode(error)];
    if (plainText !== undefined) error.message = plainText;
  });
