import type { Command } from 'commander';
import type { Io } from '../io.js';
import type { Signals } from '../../lib/signals.js';
import type { BackupOptions } from './runBackup.js';

/** Adds the options of `backup`. */
export const addBackupCommand = (backup: Command, io: Io, signals: Signals = process): void => {
  backup
    .argument('<file>', 'the file that is made; one that exists is not overwritten')
    .option('--with-key', 'put the secret key into it, sealed with a pass phrase')
    .option('--pass-phrase-file <file>', 'the file with the pass phrase; - is standard input')
    .option('--pass-phrase-env <variable>', 'the variable with it; without both the command prompts for it')
    .option('--json', 'print JSON')
    .action(async (file: string, options: BackupOptions) => {
      const { runBackup } = await import('./runBackup.js');
      await runBackup(io, signals, file, options);
    });
};
