import { existsSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { contractsIn, type ContractUnderTest, type ServedContracts } from './contracts.js';
import { HelpRequested, readSecret, UsageError, type Secret } from './secret.js';

/** In the order in which they run. Each can be called alone: `npm run contract -- lint examples`. */
export const stageNames = [
  'lint',
  'types',
  'breaking',
  'examples',
  'conformance',
  'generated',
  'security',
  'sequences',
] as const;

export type StageName = (typeof stageNames)[number];

/** Does a stage send requests? The others look at the contract alone. */
export const asksService = (name: StageName): boolean =>
  ['conformance', 'generated', 'security', 'sequences'].includes(name);

/** Those for a contract of others: rules for contracts, and types, are a matter of taste and of languages. */
export const thirdPartyStages = stageNames.filter((name) => name !== 'lint' && name !== 'types');

/** What the command line asks for. */
export interface ContractRunOptions {
  /** In the order in which they run. */
  readonly stages: readonly StageName[];
  readonly contracts: readonly ContractUnderTest[];
  /** The files of the contracts that the service serves. */
  readonly servedFiles: readonly string[];
  /** The base address of a running service, without a slash at its end; without one the run starts a service. */
  readonly url: string | undefined;
  /** A key with the scope `write` for `url`. */
  readonly key: Secret | undefined;
  /** A key with the scope `read` for `url`. */
  readonly readKey: Secret | undefined;
  /** A key for `url` with a small limit, to see 429. */
  readonly limitedKey: Secret | undefined;
  /** The site to use at `url`; without one the first that it lists. */
  readonly site: number | undefined;
  /** May requests be sent that change something? Always, when the run starts the service itself. */
  readonly allowWrites: boolean;
  /** How many requests `url` gets at most, and how many vouchers are made there. */
  readonly maxRequests: number;
  readonly maxVouchers: number;
  /** What the contract is compared with: a git revision, a file or a URL. */
  readonly against: string | undefined;
  readonly seed: number;
  /** Generated requests per operation. */
  readonly runs: number;
  /** The folder of the reports. */
  readonly out: string;
  /** What runs a stage again: the program's name, and options that stand in every command line. */
  readonly command: CommandLine;
}

export interface CommandLine {
  readonly program: string;
  readonly options: readonly string[];
}

/** What the options depend on besides the command line. */
interface OptionSources {
  readonly served: ServedContracts;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The seed of a run that names none. */
  readonly randomSeed?: () => number;
}

const largestSeed = 2 ** 31 - 1;

/** The seed of a run that names none. */
export const anySeed = (): number => Math.floor(Math.random() * largestSeed);

/** The options as commander reads them, but for the keys. */
interface Parsed {
  contract?: string[];
  url?: string;
  site?: number;
  allowWrites?: boolean;
  maxRequests?: number;
  maxVouchers?: number;
  against?: string;
  seed?: number;
  runs: number;
  out: string;
}

/** The three ways to hand in a key are `key`, `keyEnv` and `keyFile`. */
type ParsedKeys = Readonly<Record<string, string | undefined>>;

/** Reads the command line. Throws `UsageError` or `HelpRequested`. */
export const readRunOptions = (
  args: readonly string[],
  { served, env, randomSeed = anySeed }: OptionSources,
): ContractRunOptions => {
  const { parsed, keySources, names } = parse(args, served);
  const asked = names.map(stageName);
  const {
    url,
    contract: contracts,
    allowWrites = false,
    site,
    maxRequests,
    maxVouchers,
    seed,
    runs,
    out,
  } = parsed;
  const secret = (option: string, name: string): Secret | undefined =>
    readSecret(option, [keySources[name], keySources[`${name}Env`], keySources[`${name}File`]], env);
  const keys = {
    key: secret('key', 'key'),
    readKey: secret('read-key', 'readKey'),
    limitedKey: secret('limited-key', 'limitedKey'),
  };
  const needsUrl = {
    '--key': keys.key,
    '--read-key': keys.readKey,
    '--limited-key': keys.limitedKey,
    '--site': site,
    '--allow-writes': allowWrites || undefined,
    '--max-requests': maxRequests,
    '--max-vouchers': maxVouchers,
  };
  const [useless] = Object.entries(needsUrl).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (url === undefined && useless !== undefined) {
    throw new UsageError(`${useless} belongs to --url: without it the run starts a service of its own`);
  }
  return {
    stages: asked.length === 0 ? stageNames : stageNames.filter((name) => asked.includes(name)),
    contracts: contracts === undefined ? defaultContracts(parsed, served) : contractsIn(contracts, served),
    servedFiles: served.map(({ file }) => file),
    url,
    ...keys,
    site,
    allowWrites: url === undefined || allowWrites,
    maxRequests: maxRequests ?? 2000,
    maxVouchers: maxVouchers ?? 50,
    against: parsed.against,
    seed: seed ?? randomSeed(),
    runs,
    out,
    command: {
      program: 'npm run contract --',
      options: [
        ...keyOptions({ key: keys.key, 'read-key': keys.readKey, 'limited-key': keys.limitedKey }),
        ...(site === undefined ? [] : [`--site ${site}`]),
      ],
    },
  };
};

const keyOptions = (keys: Readonly<Record<string, Secret | undefined>>): string[] =>
  Object.entries(keys).flatMap(([name, key]) => (key ? [`--${name}-env ${key.variable}`] : []));

const parse = (
  args: readonly string[],
  served: ServedContracts,
): { parsed: Parsed; keySources: ParsedKeys; names: readonly string[] } => {
  const command = makeCommand(served);
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') throw new HelpRequested(command.helpInformation());
    throw new UsageError(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
  }
  return { parsed: command.opts<Parsed>(), keySources: command.opts<ParsedKeys>(), names: command.args };
};

const stageName = (name: string): StageName => {
  const found = stageNames.find((stage) => stage === name);
  if (!found) throw new UsageError(`there is no stage "${name}"; the stages are ${stageNames.join(', ')}`);
  return found;
};

/** Keys of a running service, and a file to compare with, belong to one contract: the first. */
const defaultContracts = (
  { url, against = '' }: Pick<Parsed, 'url' | 'against'>,
  served: ServedContracts,
): readonly ContractUnderTest[] =>
  url !== undefined || /^https?:/.test(against) || existsSync(against) ? served.slice(0, 1) : served;

/** What the command line understands. It neither prints nor exits by itself. */
const makeCommand = (served: ServedContracts): Command => {
  const files = served.map(({ file }) => file).join(', ');
  const command = new Command('npm run contract --')
    .description(
      'Holds the contract and the service against each other. Without --url it starts a service of its own.',
    )
    .argument('[stages...]', `some of ${stageNames.join(', ')} (default: all)`)
    .option(
      '--contract <file>',
      `a contract, more than once for several (default: ${files}; with --url, or a file as --against, the first)`,
      (file, earlier: readonly string[] | undefined) => [...(earlier ?? []), file],
    )
    .option('--url <url>', 'base address of a running service', baseAddress);
  addKey(command, 'key', 'a key with the scope write');
  addKey(command, 'read-key', 'a key with the scope read');
  addKey(command, 'limited-key', 'a key with a limit so small that it may be used up');
  return command
    .option('--site <id>', 'with --url: the site to use (default: the first)', wholeNumber(1, largestSeed))
    .option('--allow-writes', 'with --url: vouchers may be created there')
    .option(
      '--max-requests <number>',
      'with --url: so many at most (default: 2000)',
      wholeNumber(1, 1_000_000),
    )
    .option('--max-vouchers <number>', 'with --url: so many at most (default: 50)', wholeNumber(0, 1_000_000))
    .option(
      '--against <what>',
      'the contract before: a git revision, a file or a URL (default: the last tag, else HEAD)',
      earlierContract,
    )
    .addOption(
      new Option('--seed <number>', 'repeats the generated requests of a run (default: a new one)').argParser(
        wholeNumber(0, largestSeed),
      ),
    )
    .option('--runs <number>', 'generated requests per operation', wholeNumber(1, 1_000_000), 200)
    .option('--out <folder>', 'where the reports go', 'contract-report')
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
};

const addKey = (command: Command, option: string, what: string): void => {
  command
    .option(`--${option}-env <variable>`, `with --url: environment variable that holds ${what}`)
    .option(`--${option}-file <file>`, 'with --url: file that holds it')
    .option(`--${option} <key>`, 'with --url: the key itself, which the list of processes then shows');
};

const wholeNumber =
  (lowest: number, highest: number) =>
  (text: string): number => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    if (number >= lowest && number <= highest) return number;
    throw new InvalidArgumentError(`It is no whole number from ${lowest} to ${highest}.`);
  };

/** A revision that starts with a dash would be an option of git. */
export const earlierContract = (text: string): string => {
  if (text === '' || text.startsWith('-')) {
    throw new InvalidArgumentError('It is neither a revision, nor a file, nor a URL.');
  }
  if (/^https?:/.test(text)) withoutUser(text);
  return text;
};

/** Addresses stand in reports. */
const withoutUser = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It is no address that starts with http:// or https://.');
  }
  if (url.username || url.password) throw new InvalidArgumentError('It must hold no user and no password.');
  return url;
};

/** The base address of a service, without a slash at its end. */
export const baseAddress = (text: string): string => {
  const url = withoutUser(text);
  if (url.search || url.hash) throw new InvalidArgumentError('It must hold neither ? nor #.');
  return url.href.replace(/(?<!\/)\/+$/, '');
};
