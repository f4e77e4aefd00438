import type { Command } from 'commander';
import type { Io } from '../io.js';
import { createDatabaseOption, isPlaceGiven, whenGivenYes } from '../newDatabase.js';
import { withTables } from '../openTables.js';

/** Adds the options of `migrate`. Opening the tables runs the migrations. */
export const addMigrateCommand = (migrate: Command, io: Io): void => {
  migrate
    .option(...createDatabaseOption)
    .option('--json', 'print JSON')
    .action((options: { json?: boolean; yes?: boolean }) =>
      withTables(
        io,
        async ({ migrated }) => {
          if (options.json) io.out(`${JSON.stringify({ migrated })}\n`);
          else
            io.out(
              migrated.length > 0 ? `migrated: ${migrated.join(', ')}\n` : 'the database is up to date\n',
            );
        },
        // Where DATA_DIR is set, creating the database is what this command is for.
        whenGivenYes(options.yes ?? isPlaceGiven(io.env)),
      ),
    );
};
