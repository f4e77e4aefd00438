import { Command } from 'commander';
import { printError } from './cli/errorOutput.js';
import { exitStatuses } from './cli/exitStatus.js';
import { CommandError, type Io } from './cli/io.js';
import { commandTexts } from './cli/commandTexts.js';
import { formatProgramCall } from './lib/commandLine.js';
import { errorCode } from './lib/errorCode.js';
import type { Signals } from './lib/signals.js';
import { formatBuildInfo, readBuildInfo } from './lib/buildInfo.js';

/** A command, or a group of commands. */
interface CommandEntry {
  readonly description: string;
  /** What `--help` shows behind the name. A group shows nothing. */
  readonly takes?: { readonly argument?: string };
  /** Loads the function that adds its options, its arguments and its own commands. */
  load(): Promise<(command: Command, io: Io, signals?: Signals) => void>;
}

/** All commands, in the order of `--help`. */
const commands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    description: 'Start the service. Settings come from the environment: see docs/configuration.md',
    takes: {},
    load: async () => (await import('./cli/serve/serve.js')).addServeCommand,
  },
  mock: {
    description: 'Answer every operation from the contract alone: no database, no key',
    takes: {},
    load: async () => (await import('./cli/mock/mock.js')).addMockCommand,
  },
  proxy: {
    description: 'Proxy to a server and report contract violations',
    takes: { argument: '<url>' },
    load: async () => (await import('./cli/proxy/proxy.js')).addProxyCommand,
  },
  contract: {
    description: 'Compare a service with its contract, and the contract with the one before',
    takes: { argument: '[stages...]' },
    load: async () => (await import('./cli/contract/contract.js')).addContractCommand,
  },
  types: {
    description: 'Write the types of a contract, for the handlers of a service of your own',
    takes: { argument: '<contract>' },
    load: async () => (await import('./cli/types/types.js')).addTypesCommand,
  },
  migrate: {
    description: 'Migrate the database. `serve` does it too, at start',
    takes: {},
    load: async () => (await import('./cli/migrate/migrate.js')).addMigrateCommand,
  },
  database: {
    description: 'the database as a whole: copy it from SQLite to PostgreSQL, or back',
    load: async () => (await import('./cli/database/database.js')).addDatabaseCommands,
  },
  key: {
    description: 'API keys of clients',
    load: async () => (await import('./cli/key/key.js')).addKeyCommands,
  },
  user: {
    description: 'users of the web UI',
    load: async () => (await import('./cli/user/user.js')).addUserCommands,
  },
  site: {
    description: 'sites that get vouchers',
    load: async () => (await import('./cli/site/site.js')).addSiteCommands,
  },
  voucher: {
    description: 'vouchers that were created',
    load: async () => (await import('./cli/voucher/voucher.js')).addVoucherCommands,
  },
  sync: {
    description: 'Compare recorded vouchers with their controllers now, and print how many have changed',
    takes: { argument: '[controller]' },
    load: async () => (await import('./cli/sync/sync.js')).addSyncCommand,
  },
  controller: {
    description: 'network controllers that create the vouchers',
    load: async () => (await import('./cli/controller/controller.js')).addControllerCommands,
  },
  webhook: {
    description: 'targets that are notified of new vouchers',
    load: async () => (await import('./cli/webhook/webhook.js')).addWebhookCommands,
  },
  secret: {
    description: 'the key that encrypts secrets in the database',
    load: async () => (await import('./cli/secret/secret.js')).addSecretCommands,
  },
  backup: {
    description: 'Copy the SQLite database of a service, which may run, into one file: see docs/backup.md',
    takes: { argument: '<file>' },
    load: async () => (await import('./cli/backup/backup.js')).addBackupCommand,
  },
  restore: {
    description: 'Make a database of a backup, where there is none',
    takes: { argument: '<file>' },
    load: async () => (await import('./cli/restore/restore.js')).addRestoreCommand,
  },
  retention: {
    description: 'removal of records that have been kept for long enough',
    load: async () => (await import('./cli/retention/retention.js')).addRetentionCommands,
  },
  config: {
    description: 'controllers, sites, profiles, webhooks and settings as one file',
    load: async () => (await import('./cli/config/config.js')).addConfigCommands,
  },
  import: {
    description: 'move in from another program',
    load: async () => (await import('./cli/import/import.js')).addImportCommands,
  },
  doctor: {
    description:
      'Check configuration, disk, clock, database, controllers, webhooks and the service, and show remedies',
    takes: {},
    load: async () => (await import('./cli/doctor/doctor.js')).addDoctorCommand,
  },
};

const processIo: Io = {
  env: process.env,
  // A getter, because reading it opens standard input, which most commands do not need.
  get input() {
    return process.stdin;
  },
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

/** What reads our output may have read enough, as `head` does, or be a terminal that is gone. */
const ignoreNoReader = (error: Error): void => {
  if (!['EPIPE', 'EIO'].includes(errorCode(error))) throw error;
};

/** Runs one command and returns the status to end with. */
export const main = async (
  argv: readonly string[],
  io: Io = processIo,
  signals?: Signals,
): Promise<number> => {
  if (io === processIo)
    for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreNoReader);
  const program = makeProgram(io);
  if (isVersionAsJson(argv)) {
    io.out(`${JSON.stringify({ ...readBuildInfo(), node: process.versions.node })}\n`);
    return 0;
  }
  try {
    const requested = findRequested(argv);
    await addCommands(program, (name) => name === requested, io, signals);
    inheritSettings(program);
    await program.parseAsync(toHelpOption(program, argv), { from: 'user' });
    return 0;
  } catch (error) {
    return printError(io, error, { json: hasJson(argv) });
  }
};

/** Words behind `--` are no options. */
const hasJson = (argv: readonly string[]): boolean =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length).includes('--json');

const makeProgram = (io: Io): Command =>
  new Command('voucherd')
    .description('Creates and lists guest-WiFi vouchers on the network controllers of many sites')
    .version(
      formatBuildInfo(readBuildInfo()),
      '-V, --version',
      'print version, commit and date; --json for all',
    )
    // Errors are printed where all are.
    .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => undefined })
    .addHelpText('after', `\nExit status:\n${formatExitStatuses()}`)
    .hook('preAction', (_, command) => refuseEmptyValues(command))
    .exitOverride();

/** No option and no argument may be empty: mostly it is a variable of a script that is not set. */
const refuseEmptyValues = (command: Command): void => {
  const isEmpty = (value: unknown): boolean => [value].flat().includes('');
  const option = command.options.find((one) => isEmpty(command.getOptionValue(one.attributeName())));
  const argument = command.registeredArguments.find((_, index) => isEmpty(command.processedArgs[index]));
  const empty = option?.long ?? argument?.name();
  if (empty !== undefined)
    throw new CommandError(
      'option-invalid',
      `${empty}: "" is not allowed: it is empty; is the variable set that it comes from?`,
    );
};

const formatExitStatuses = (): string =>
  Object.values(exitStatuses)
    .map(({ status, meaning }) => `  ${String(status).padEnd(5)}${meaning}`)
    .join('\n');

const silentIo: Io = { env: {}, out: () => undefined, err: () => undefined };

/** The program with all its commands, to be described and not to be run. */
export const loadWholeProgram = async (): Promise<Command> => {
  const program = makeProgram(silentIo);
  await addCommands(program, () => true, silentIo, undefined);
  return program;
};

/** Options of the program itself end it one by one, so commander can't combine two. */
const isVersionAsJson = (argv: readonly string[]): boolean =>
  argv.length === 2 && argv.includes('--json') && (argv.includes('--version') || argv.includes('-V'));

/** The command that commander will run: the first word that is not an option, because ours take no values. */
const findRequested = (argv: readonly string[]): string | undefined => {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
};

/**
 * `help` with a command as the same with `--help`: commander finds only the first word of a command, and says
 * nothing of words that are none. Those are left as they are, to be refused like any other such line.
 */
const toHelpOption = (program: Command, argv: readonly string[]): readonly string[] => {
  const [first, ...words] = argv.filter((word) => !word.startsWith('-'));
  if (first !== 'help' || words.length === 0) return argv;
  let command = program;
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word);
    if (!child) return command.commands.length > 0 ? words : [...words, '--help'];
    command = child;
  }
  return [...words, '--help'];
};

/** Adds the requested commands. Of the others, only what `--help` and suggestions for a typing error show. */
const addCommands = async (
  program: Command,
  isRequested: (name: string) => boolean,
  io: Io,
  signals: Signals | undefined,
): Promise<void> => {
  for (const [name, { description, takes, load }] of Object.entries(commands)) {
    const command = program.command(name).description(description);
    if (isRequested(name)) {
      const addTo = await load();
      addTo(command, io, signals);
      addExamples(command, [name]);
    } else if (takes) {
      command.option('--json');
      if (takes.argument !== undefined) command.argument(takes.argument);
    }
  }
};

/** `--help` ends with examples. */
const addExamples = (command: Command, path: readonly string[]): void => {
  for (const child of command.commands) addExamples(child, [...path, child.name()]);
  const examples = commandTexts[path.join(' ')]?.examples;
  if (!examples) return;
  const lines = examples.map(([line, purpose]) => `  ${formatProgramCall(line)}\n    ${purpose}`);
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
};

/** Subcommands do not inherit these settings automatically. */
const inheritSettings = (command: Command): void => {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
};
