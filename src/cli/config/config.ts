import type { Command } from 'commander';
import type { Io } from '../io.js';
import { createDatabaseOption } from '../newDatabase.js';
import type { ConfigExportOptions } from './runExport.js';
import type { ConfigImportOptions } from './runImport.js';

/** Adds the commands for the configuration as one file. */
export const addConfigCommands = (group: Command, io: Io): void => {
  group
    .command('export')
    .description('Write the configuration into one file, with its secrets sealed with a pass phrase')
    .argument('<file>', 'the file that is made, one that exists is not overwritten; - is standard output')
    .option('--without-secrets', 'leave out credentials, and the addresses and secrets of webhooks')
    .option('--pass-phrase-file <file>', 'the file with the pass phrase; - is standard input')
    .option('--pass-phrase-env <variable>', 'the variable with it; without both the command prompts for it')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ConfigExportOptions) => {
      const { runExport } = await import('./runExport.js');
      await runExport(io, file, options);
    });
  group
    .command('import')
    .description('Add what a file of `config export` has and the database does not, all or nothing')
    .argument('<file>', 'the file; - is standard input')
    .option('--update', 'also change what is there and differs')
    .option('--dry-run', 'only report what would be created or changed')
    .option('--without-secrets', 'do not open what is sealed in the file')
    .option('--pass-phrase-file <file>', 'the file with the pass phrase; - is standard input')
    .option('--pass-phrase-env <variable>', 'the variable with it; without both the command prompts for it')
    .option(...createDatabaseOption)
    .option('--json', 'print JSON')
    .action(async (file: string, options: ConfigImportOptions) => {
      const { runImport } = await import('./runImport.js');
      await runImport(io, file, options);
    });
};
