import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { ContractUnderTest } from '../contracts.js';
import {
  anySeed,
  asksService,
  baseAddress,
  earlierContract,
  thirdPartyStages,
  type ContractRunOptions,
} from '../options.js';
import { runContracts, type RunDeps } from '../program.js';
import type { RunResult } from '../run/results.js';
import { quoted } from '../run/run.js';
import { readSecret, UsageError, type Secret } from '../secret.js';
import { thirdPartyLoaders, type ThirdPartyStageName } from '../stages.js';
import type { GivenCredentials, GivenHeader } from './credentials.js';
import { loadScenarios } from './scenarioModule.js';
import { makeThirdPartyTarget } from './thirdPartyTarget.js';

/** What the command line asks for, as it was typed. */
export interface ThirdPartyRequest {
  readonly stages: readonly string[];
  readonly contract: string;
  readonly url?: string | undefined;
  /** `VARIABLE`, or `scheme=VARIABLE` for one security scheme; files likewise. */
  readonly keyEnv: readonly string[];
  readonly keyFile: readonly string[];
  /** A variable, and a file. */
  readonly readKeyEnv?: string | undefined;
  readonly readKeyFile?: string | undefined;
  /** `Name: value`, `Name: env:VARIABLE`, `Name: file:FILE` */
  readonly header: readonly string[];
  readonly scenarios?: string | undefined;
  readonly allowWrites: boolean;
  readonly maxRequests: number;
  readonly against?: string | undefined;
  readonly seed?: number | undefined;
  readonly runs: number;
  readonly out: string;
}

/** Tests a service of others. Resolves with what came out, or with nothing when it was interrupted. */
export const runThirdPartyContract = async (
  request: ThirdPartyRequest,
  deps: Omit<RunDeps, 'loadStages' | 'startTarget'>,
): Promise<RunResult | undefined> => {
  const { contract: file, allowWrites, maxRequests } = request;
  const url = request.url === undefined ? undefined : checked('--url', request.url, baseAddress);
  const credentials = readCredentials(request, deps.env);
  const scenarios = request.scenarios === undefined ? {} : await loadScenarios(request.scenarios);
  return runContracts(toOptions(request, url), {
    ...deps,
    loadStages: (names) =>
      Promise.all(names.filter(isForThirdParties).map((name) => thirdPartyLoaders[name]())),
    startTarget: (_served, contract) => {
      if (url === undefined) throw new UsageError(`--url is missing: ${file} alone can't be tested so`);
      return makeThirdPartyTarget(contract, { url, credentials, allowWrites, maxRequests, scenarios });
    },
  });
};

const isForThirdParties = (name: string): name is ThirdPartyStageName => name in thirdPartyLoaders;

const toOptions = (request: ThirdPartyRequest, url: string | undefined): ContractRunOptions => {
  const { contract: file, against, keyEnv, keyFile, readKeyEnv, readKeyFile } = request;
  const { header, scenarios, maxRequests } = request;
  return {
    stages: stagesFor(request.stages, url),
    contracts: [thirdPartyContract(file)],
    servedFiles: [],
    url,
    key: undefined,
    readKey: undefined,
    limitedKey: undefined,
    site: undefined,
    allowWrites: request.allowWrites,
    maxRequests,
    maxVouchers: Infinity,
    against: against === undefined ? undefined : checked('--against', against, earlierContract),
    seed: request.seed ?? anySeed(),
    runs: request.runs,
    out: request.out,
    command: {
      program: 'npx voucherd contract',
      options: [
        ...keyEnv.map((given) => `--key-env ${quoted(given)}`),
        ...keyFile.map((given) => `--key-file ${quoted(given)}`),
        ...(readKeyEnv === undefined ? [] : [`--read-key-env ${quoted(readKeyEnv)}`]),
        ...(readKeyFile === undefined ? [] : [`--read-key-file ${quoted(readKeyFile)}`]),
        ...header.map((given) => `--header ${quoted(given)}`),
        ...(scenarios === undefined ? [] : [`--scenarios ${quoted(scenarios)}`]),
      ],
    },
  };
};

/** A contract that is not ours. */
export const thirdPartyContract = (file: string): ContractUnderTest => ({
  name: basename(file).replace(/\.(ya?ml|json)$/, ''),
  file,
  basePath: '',
  credentials: {
    add: () => Promise.reject(new Error('there is no database of a service of others')),
    neededTables: [],
  },
  hints: {},
  hintsFolder: '--scenarios',
  thirdParty: true,
});

/** Without an address, those that look at the contract alone. */
const stagesFor = (asked: readonly string[], url: string | undefined): ContractRunOptions['stages'] => {
  const unknown = asked.find((name) => !isForThirdParties(name));
  if (unknown !== undefined)
    throw new UsageError(`there is no stage "${unknown}"; the stages are ${thirdPartyStages.join(', ')}`);
  const wanted = thirdPartyStages.filter((name) =>
    asked.length > 0 ? asked.includes(name) : url !== undefined || !asksService(name),
  );
  const needing = wanted.find(asksService);
  if (needing !== undefined && url === undefined) throw new UsageError(`${needing} needs --url`);
  return wanted;
};

const checked = <T>(option: string, text: string, parse: (text: string) => T): T => {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new UsageError(`${option}: ${error.message}`);
    throw error;
  }
};

const readCredentials = (
  { keyEnv, keyFile, readKeyEnv, readKeyFile, header }: ThirdPartyRequest,
  env: RunDeps['env'],
): GivenCredentials => {
  const keys = new Map<string, Secret>();
  const add = (given: string, sourceOf: (name: string) => readonly (string | undefined)[]): void => {
    const [, scheme = '', name = ''] = /^(?:([\w.-]+)=)?(.*)$/s.exec(given) ?? [];
    if (keys.has(scheme)) throw new UsageError(`there are two keys for ${scheme === '' ? 'all' : scheme}`);
    const secret = readSecret('key', sourceOf(name), env);
    if (secret) keys.set(scheme, secret);
  };
  for (const given of keyEnv) add(given, (name) => [undefined, name, undefined]);
  for (const given of keyFile) add(given, (name) => [undefined, undefined, name]);
  const readKey = readSecret('read-key', [undefined, readKeyEnv, readKeyFile], env);
  return { keys, readKey, headers: header.map((line) => readHeader(line, env)) };
};

const readHeader = (line: string, env: RunDeps['env']): GivenHeader => {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*(\S.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError("--header is no header such as 'X-Tenant: acme' or 'X-Token: env:TOKEN'");
  const [, source, place] = /^(env|file):(.+)$/.exec(value) ?? [];
  if (source === undefined) return { name, value };
  const secret = readSecret(
    'header',
    source === 'env' ? [undefined, place] : [undefined, undefined, place],
    env,
  );
  return { name, value: secret ?? value };
};
