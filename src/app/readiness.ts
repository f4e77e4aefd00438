import { DatabaseUnavailable } from '../database/unavailable.js';
import { CodedError } from '../errors/codedError.js';
import { migrationsPending } from '../metrics/checks.js';
import type { System } from '../lib/system.js';
import type { Database } from '../database/database.js';
import { pendingMigrations } from '../database/migrator.js';
import type { Tables } from './tables.js';
import { makeWriteProbe } from '../database/writeProbe.js';

/** The database is of an earlier version than the program. */
class MigrationsPending extends CodedError<typeof migrationsPending> {
  override readonly name = 'MigrationsPending';

  constructor(names: readonly string[]) {
    super(migrationsPending, `migrations pending: ${names.join(', ')}`, { kind: 'unavailable' });
  }
}

/** Checks what requests need: a reachable database with all migrations that can read revisions and write. */
export const makeReadinessCheck = (
  database: Database,
  tables: Pick<Tables, 'revisions'>,
  system: System,
): (() => Promise<void>) => {
  const probeWrite = makeWriteProbe(database, system);
  return async () => {
    const { unavailableCode: code } = database;
    if (code) throw new DatabaseUnavailable(code, 'the database can not be used');
    await tables.revisions.total();
    const pending = await pendingMigrations(database, { allowsNewer: true });
    if (pending.length > 0) throw new MigrationsPending(pending);
    await probeWrite();
  };
};
