/**
 * The database can't be reached, or does not answer in time. No request is to blame, and none can help it. The message
 * is for the log and may name host and port; clients are told no more than that.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** As the errors of the drivers have one: knex puts the statement in front of the message of both. */
  readonly code = 'DATABASE_UNAVAILABLE';
}
