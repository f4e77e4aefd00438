import type { Command } from 'commander';
import { makeDataDir, readConfig } from '../../config.js';
import { bindStoredSecrets } from '../../secrets/rotation.js';
import { migrate } from '../../storage/migrator.js';
import { makeStorage } from '../../storage/storage.js';
import type { Io } from '../io.js';
import { withDatabase } from '../resources.js';

export const addMigrateCommand = (program: Command, io: Io): void => {
  program
    .command('migrate')
    .description('Bring the database up to date. `serve` does it too, at start')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const config = readConfig(io.env);
      makeDataDir(config);
      const done = await withDatabase(config, async (database) => {
        const migrated = await migrate(database);
        await bindStoredSecrets(config, makeStorage(database).sealed);
        return migrated;
      });
      if (options.json) io.out(`${JSON.stringify({ migrated: done })}\n`);
      else io.out(done.length > 0 ? `migrated: ${done.join(', ')}\n` : 'the database is up to date\n');
    });
};
