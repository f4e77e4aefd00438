import type { Command } from 'commander';
import type { Io } from '../io.js';
import type { Signals } from '../../lib/signals.js';
import type { CopyOptions } from './copy.js';

/** Adds the commands for the database as a whole. */
export const addDatabaseCommands = (group: Command, io: Io, signals: Signals = process): void => {
  addPlaces(group.command('copy'))
    .description(
      'Copy everything to another database, from SQLite to PostgreSQL or back, and compare both: see docs/upgrade.md',
    )
    .option('--restart', 'empty an unfinished copy in the target, and begin again')
    .option('--json', 'print JSON')
    .action(async (options: CopyOptions) => {
      const { copyCommand } = await import('./copy.js');
      await copyCommand(io, options, signals);
    });
  addPlaces(group.command('compare'))
    .description('Compare two databases: the number of rows and a checksum of every table')
    .option('--json', 'print JSON')
    .action(async (options: CopyOptions) => {
      const { compareCommand } = await import('./copy.js');
      await compareCommand(io, options, signals);
    });
};

const addPlaces = (command: Command): Command =>
  command
    .option(
      '--from <place>',
      'the source: a SQLite file, or postgres://USER@HOST/DATABASE (default: the database of the service)',
    )
    .option('--from-file <file>', 'the file with its address, when it has a password; - is standard input')
    .option('--from-env <variable>', 'the variable with it')
    .option('--to <place>', 'the target, likewise')
    .option('--to-file <file>', 'the file with its address, when it has a password; - is standard input')
    .option('--to-env <variable>', 'the variable with it');
