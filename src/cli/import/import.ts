import type { Command } from 'commander';
import type { Io } from '../io.js';
import { createDatabaseOption } from '../newDatabase.js';
import type { PhpToolOptions } from './phpTool.js';

/** Adds the commands that move in from elsewhere. */
export const addImportCommands = (group: Command, io: Io): void => {
  group
    .command('php-tool')
    .description(
      'Import sites, API keys, users, templates, the webhook and vouchers of the UniFi Voucher Tool (PHP): see docs/import-php-tool.md',
    )
    .option(
      '--from <address>',
      'its database: mysql://USER@HOST/DATABASE; the command prompts for the password',
    )
    .option('--password-file <file>', 'the file with the password of that user; - is standard input')
    .option('--password-env <variable>', 'the variable with it')
    .option('--tls', 'encrypt the connection to the database, and check its certificate')
    .option('--tls-ca-file <file>', 'trust the authorities in this file (PEM) for that')
    .option(
      '--dump <file>',
      'a dump of its database by mysqldump or mariadb-dump, also gzipped, instead of --from',
    )
    .option(
      '--config <file>',
      'its config.php: database, APP_KEY and time zone, where no option says otherwise',
    )
    .option(
      '--app-key-file <file>',
      'the file with its APP_KEY, which opens stored passwords; - is standard input',
    )
    .option(
      '--app-key-env <variable>',
      'the variable with it; without both the command prompts for it, if it is needed',
    )
    .option('--php-time-zone <zone>', 'the time zone in config.php (default: Europe/Berlin)')
    .option('--server-time-zone <zone>', 'for --dump: the time zone of the database server (default: UTC)')
    .option('--merge-sites', 'make one site of several that are the same site of one controller')
    .option('--dry-run', 'only report what would be imported')
    .option(...createDatabaseOption)
    .option('--json', 'print JSON')
    .action(async (options: PhpToolOptions) => {
      const { importPhpTool } = await import('./phpTool.js');
      await importPhpTool(io, options);
    });
};
