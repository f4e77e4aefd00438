import { CommanderError } from 'commander';
import { largestSeed, makeCommand, type Parsed } from './options/command.js';
import { readKeySource, type Secret } from './options/secret.js';
import { HelpRequested, UsageError } from './options/usageError.js';
import { stageNames, type StageName } from './stageNames.js';

/** What the command line asks for. */
export interface ContractRunOptions {
  /** In the order in which they run. */
  readonly stages: readonly StageName[];
  /** The file of the contract. */
  readonly contract: string;
  /** The base address of a running service, without a slash at its end; without one the run starts a service. */
  readonly url: string | undefined;
  /** A key with the scope `write` for `url`. */
  readonly key: Secret | undefined;
  /** A key with the scope `read` for `url`. */
  readonly readKey: Secret | undefined;
  /** A key for `url` with a small limit, to planFor 429. */
  readonly limitedKey: Secret | undefined;
  /** The site to use at `url`; without one the first that it lists. */
  readonly site: number | undefined;
  /** May requests be sent that change something? Always, when the run starts the service itself. */
  readonly allowWrites: boolean;
  /** What the contract is compared with: a git revision, a file or a URL. */
  readonly against: string | undefined;
  readonly seed: number;
  /** Generated requests per operation. */
  readonly runs: number;
  /** The folder of the reports. */
  readonly out: string;
}

/** What the options depend on besides the command line. */
interface OptionSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The seed of a run that names none. */
  randomSeed(): number;
}

/** Those of this process. */
export const systemSources: OptionSources = {
  env: process.env,
  randomSeed: () => Math.floor(Math.random() * largestSeed),
};

/** Reads the command line. Throws `UsageError` or `HelpRequested`. */
export const readRunOptions = (
  args: readonly string[],
  { env, randomSeed }: OptionSources = systemSources,
): ContractRunOptions => {
  const { parsed, names } = parse(args);
  const asked = names.map(stageName);
  const { url, allowWrites, site, seed } = parsed;

  const keys = {
    key: readKeySource('key', { value: parsed.key, variable: parsed.keyEnv, file: parsed.keyFile }, env),
    readKey: readKeySource(
      'read-key',
      { value: parsed.readKey, variable: parsed.readKeyEnv, file: parsed.readKeyFile },
      env,
    ),
    limitedKey: readKeySource(
      'limited-key',
      { value: parsed.limitedKey, variable: parsed.limitedKeyEnv, file: parsed.limitedKeyFile },
      env,
    ),
  };
  const needsUrl = {
    '--key': keys.key,
    '--read-key': keys.readKey,
    '--limited-key': keys.limitedKey,
    '--site': site,
    '--allow-writes': allowWrites || undefined,
  };
  const [useless] = Object.entries(needsUrl).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (url === undefined && useless) {
    throw new UsageError(`${useless} belongs to --url: without it the run starts a service of its own`);
  }
  return {
    stages: asked.length === 0 ? stageNames : stageNames.filter((name) => asked.includes(name)),
    contract: parsed.contract,
    url,
    ...keys,
    site,
    allowWrites: url === undefined || allowWrites,
    against: parsed.against,
    seed: seed ?? randomSeed(),
    runs: parsed.runs,
    out: parsed.out,
  };
};

const parse = (args: readonly string[]): { parsed: Parsed; names: readonly string[] } => {
  const command = makeCommand();
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') throw new HelpRequested(command.helpInformation());
    throw new UsageError(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
  }
  return { parsed: command.opts<Parsed>(), names: command.args };
};

const stageName = (name: string): StageName => {
  const found = stageNames.find((stage) => stage === name);
  if (!found) throw new UsageError(`there is no stage "${name}"; the stages are ${stageNames.join(', ')}`);
  return found;
};
