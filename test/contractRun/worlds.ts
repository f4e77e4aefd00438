import { loadContract, type Contract } from '../../scripts/contract/contract.js';
import { readOptions, type Options } from '../../scripts/contract/options.js';
import type { CaseResult, RunResult } from '../../scripts/contract/run/results.js';
import { tryStage } from '../../scripts/contract/run/tryStage.js';
import type { Stage } from '../../scripts/contract/stage.js';
import type { World } from '../../scripts/contract/world.js';
import { contractFile } from '../support/contract.js';

export const contract = loadContract(contractFile);

/** The options of a command line; the same requests of chance each time, and few of them. */
export const optionsOf = (...args: string[]): Options =>
  readOptions(['--seed', '1', '--runs', '20', ...args], { env: {}, randomSeed: () => 1 });

/** The contract, as if it had only these operations. */
export const only = (...ids: string[]): Contract => ({
  ...contract,
  operations: contract.operations.filter(({ id }) => ids.includes(id)),
});

/** Runs one stage against a world. */
export const run = (
  stage: Stage,
  world: World,
  part: Contract = contract,
  options = optionsOf(),
): Promise<RunResult> => tryStage(stage, { contract: part, options, world: () => Promise.resolve(world) });

export const casesOf = ({ stages }: RunResult): readonly CaseResult[] => stages.flatMap(({ cases }) => cases);

/** The cases that failed, as `name → what is wrong`. */
export const failuresOf = (result: RunResult): Record<string, string> =>
  Object.fromEntries(
    casesOf(result)
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ name, problem }) => [name, problem?.what ?? '']),
  );
