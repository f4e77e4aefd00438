import { Command, InvalidArgumentError, Option } from 'commander';
import { stageNames } from '../stageNames.js';

/** The options as commander reads them. */
export interface Parsed {
  contract: string;
  url?: string;
  key?: string;
  keyEnv?: string;
  keyFile?: string;
  readKey?: string;
  readKeyEnv?: string;
  readKeyFile?: string;
  limitedKey?: string;
  limitedKeyEnv?: string;
  limitedKeyFile?: string;
  site?: number;
  allowWrites: boolean;
  against?: string;
  seed?: number;
  runs: number;
  out: string;
}

export const largestSeed = 2 ** 31 - 1;

/** What the command line understands. It neither prints nor exits by itself. */
export const makeCommand = (): Command => {
  const command = new Command('npm run contract --')
    .description(
      'Holds the contract and the service against each other. Without --url it starts a service of its own.',
    )
    .argument('[stages...]', `some of ${stageNames.join(', ')} (default: all)`)
    .option('--contract <file>', 'the contract', 'openapi.yaml')
    .option('--url <url>', 'base address of a running service', baseAddress);
  addKey(command, 'key', 'a key with the scope write');
  addKey(command, 'read-key', 'a key with the scope read');
  addKey(command, 'limited-key', 'a key with a limit so small that it may be used up');
  return command
    .option('--site <id>', 'with --url: the site to use (default: the first)', wholeNumber(1, largestSeed))
    .option('--allow-writes', 'with --url: vouchers may be created there', false)
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
const earlierContract = (text: string): string => {
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

const baseAddress = (text: string): string => {
  const url = withoutUser(text);
  if (url.search || url.hash) throw new InvalidArgumentError('It must hold neither ? nor #.');
  return url.href.replace(/(?<!\/)\/+$/, '');
};
