import type { Command } from 'commander';
import type { Io } from '../io.js';
import type { Signals } from '../../lib/signals.js';
import type { RestoreOptions } from './runRestore.js';

/** Adds the options of `restore`. */
export const addRestoreCommand = (restore: Command, io: Io, signals: Signals = process): void => {
  restore
    .argument('<file>', 'the backup, which is only read')
    .option(
      '--data-dir <folder>',
      'where the database is made, whatever DATABASE_URL is (default: the place of the settings)',
    )
    .option(
      '--key-file <file>',
      'a copy of secret.key that belongs to the backup, to put into that folder; - is standard input',
    )
    .option('--without-key', 'leave out the secret key that is in the backup')
    .option(
      '--pass-phrase-file <file>',
      'for a backup with the key: the file with the pass phrase; - is standard input',
    )
    .option('--pass-phrase-env <variable>', 'the variable with it; without both the command prompts for it')
    .option(
      '--sha256 <checksum>',
      'refuse the backup, before anything is written, unless it has this SHA-256',
    )
    .option('--json', 'print JSON')
    .action(async (file: string, options: RestoreOptions) => {
      const { runRestore } = await import('./runRestore.js');
      await runRestore(io, signals, file, options);
    });
};
