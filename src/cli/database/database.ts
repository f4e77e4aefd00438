import type { Command } from 'commander';
import type { Io } from '../io.js';
import type { Signals } from '../../lib/signals.js';
import type { CopyCommandOptions } from './copy.js';

/** Adds the command for the database as a whole. */
export const addDatabaseCommands = (group: Command, io: Io, signals: Signals = process): void => {
  group
    .command('copy')
    .description(
      'Copy everything between a SQLite file and the PostgreSQL of the settings: see docs/upgrade.md',
    )
    .option(
      '--from <file>',
      'copy this SQLite file, or that of this DATA_DIR, into the PostgreSQL, which must be empty',
    )
    .option('--to <file>', 'copy the PostgreSQL into this new SQLite file')
    .option('--json', 'print JSON')
    .action(async (options: CopyCommandOptions) => {
      const { copyCommand } = await import('./copy.js');
      await copyCommand(io, options, signals);
    });
};
