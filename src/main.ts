import { Command, CommanderError } from 'commander';
import { addControllerCommands } from './cli/controller/controller.js';
import { addDoctorCommand } from './cli/doctor/doctor.js';
import { CommandError, sanitizeLine, type Io } from './cli/io.js';
import { addKeyCommands } from './cli/key/key.js';
import { addMigrateCommand } from './cli/migrate/migrate.js';
import { addMockCommand } from './cli/mock/mock.js';
import { addSecretCommands } from './cli/secret/secret.js';
import { addServeCommand } from './cli/serve/serve.js';
import type { Signals } from './cli/signals.js';
import { addSiteCommands } from './cli/site/site.js';
import { addSyncCommand } from './cli/sync/sync.js';
import { addVoucherCommands } from './cli/voucher/voucher.js';
import { addWebhookCommands } from './cli/webhook/webhook.js';
import { readVersion } from './lib/packageRoot.js';
import { publicText } from './lib/problem.js';

const processIo: Io = {
  env: process.env,
  // Asking for it opens it, which most commands have no use for.
  get input() {
    return process.stdin;
  },
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

/** Runs one command and returns the status to end with. */
export const main = async (
  argv: readonly string[],
  io: Io = processIo,
  signals?: Signals,
): Promise<number> => {
  const program = new Command('voucherd')
    .description('Creates and lists guest-WiFi vouchers on the network controllers of many sites')
    .version(readVersion())
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => {
        write(
          `voucherd: ${text
            .replace(/^error: /, '')
            // What somebody gave to an option that does not exist may be a secret.
            .replace(/'(--[\w-]+)=.*'/s, "'$1'")
            .split('\n')
            .map(sanitizeLine)
            .join(' ')
            .trim()} (--help says what is allowed)\n`,
        );
      },
    })
    .exitOverride();
  addServeCommand(program, io, signals);
  addMockCommand(program, io, signals);
  addMigrateCommand(program, io);
  addKeyCommands(program, io);
  addSiteCommands(program, io);
  addVoucherCommands(program, io);
  addSyncCommand(program, io);
  addControllerCommands(program, io);
  addWebhookCommands(program, io);
  addSecretCommands(program, io);
  addDoctorCommand(program, io);
  inheritSettings(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed its own errors already.
    if (error instanceof CommanderError) return error.exitCode;
    io.err(`voucherd: ${sanitizeLine(publicText(error))}\n`);
    if (error instanceof CommandError) for (const command of error.commands) io.err(`  ${command}\n`);
    return 1;
  }
};

/** Subcommands do not take over these settings by themselves. */
const inheritSettings = (command: Command): void => {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
};
