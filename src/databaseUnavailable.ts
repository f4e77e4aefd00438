/**
 * The database can't be reached, or does not answer in time. No request is to blame, and none can help it. The message
 * is for the log and may name host and port; clients are told no more than that.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
