import type { Command } from 'commander';
import { counted, CommandError, parseWholeNumber, type Io } from '../io.js';
import type { ContractRunRequest } from './contractRunner.js';

interface ContractOptions {
  contract: string;
  url?: string;
  keyEnv?: string[];
  keyFile?: string[];
  readKeyEnv?: string;
  readKeyFile?: string;
  header?: string[];
  scenarios?: string;
  allowWrites?: boolean;
  maxRequests: string;
  against?: string;
  seed?: string;
  runs: string;
  out: string;
  json?: boolean;
}

const collect = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value];

/** Adds the options of `contract`, which compares a running service with its contract. */
export const addContractCommand = (contract: Command, io: Io): void => {
  contract
    .argument(
      '[stages...]',
      'some of breaking, examples, conformance, generated, security, sequences; default: all',
    )
    .requiredOption('--contract <file>', 'the contract of the service, OpenAPI 3.0 or 3.1')
    .option(
      '--url <url>',
      'base address that the paths of the contract are below; without it no request is sent',
    )
    .option(
      '--key-env <variable>',
      'variable with the credential, scheme=variable for one security scheme',
      collect,
    )
    .option('--key-file <file>', 'file with the credential, scheme=file for one security scheme', collect)
    .option('--read-key-env <variable>', 'variable with a credential that may only read, to see 403')
    .option('--read-key-file <file>', 'file with a credential that may only read, to see 403')
    .option('--header <line>', "a header of every request: 'X-Tenant: acme', 'X-Token: env:TOKEN'", collect)
    .option('--scenarios <file>', 'module with what the contract does not say of its operations')
    .option('--allow-writes', 'send requests that may change something, not only GET and HEAD')
    .option('--max-requests <number>', 'how many requests to send at most', '2000')
    .option(
      '--against <what>',
      'the contract before: a git revision, a file or a URL (default: the last tag)',
    )
    .option('--seed <number>', 'repeat the generated requests of a run (default: a new one)')
    .option('--runs <number>', 'generated requests per operation', '50')
    .option('--out <folder>', 'where the reports go', 'contract-report')
    .option('--json', 'print the result as JSON, and nothing else')
    .action((stages: string[], options: ContractOptions) => run(toRequest(stages, options), options, io));
};

const maxCount = 1_000_000;
const maxSeed = 2 ** 31 - 1;

const toRequest = (stages: readonly string[], options: ContractOptions): ContractRunRequest => {
  const { keyEnv = [], keyFile = [], header = [], allowWrites = false } = options;
  const { contract, url, readKeyEnv, readKeyFile, scenarios, against, out, seed } = options;
  return {
    stages,
    contract,
    url,
    keyEnv,
    keyFile,
    readKeyEnv,
    readKeyFile,
    header,
    scenarios,
    allowWrites,
    maxRequests: parseWholeNumber('--max-requests', options.maxRequests, 1, maxCount),
    against,
    seed: seed === undefined ? undefined : parseWholeNumber('--seed', seed, 0, maxSeed),
    runs: parseWholeNumber('--runs', options.runs, 1, maxCount),
    out,
  };
};

const run = async (request: ContractRunRequest, { json }: ContractOptions, io: Io): Promise<void> => {
  const { loadContractRunner } = await import('./contractRunner.js');
  const outcome = await loadContractRunner().runContract(request, {
    env: io.env,
    write: json ? () => undefined : io.out,
    isQuiet: json === true,
  });
  switch (outcome.kind) {
    case 'refused':
      throw new CommandError('option-invalid', outcome.reason);
    case 'interrupted':
      throw new CommandError('interrupted', 'interrupted: there are no reports');
    case 'done': {
      const { kind: _kind, ...summary } = outcome;
      if (json) io.out(`${JSON.stringify(summary, null, 2)}\n`);
      const failures = summary.stages.reduce((sum, stage) => sum + stage.failures.length, 0);
      if (!summary.isGood)
        throw new CommandError(
          'contract-violated',
          `${counted(failures, 'failure')}: see ${summary.reports}/index.html`,
        );
    }
  }
};
