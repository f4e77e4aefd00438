import { readFileSync } from 'node:fs';
import {
  parseContractModel,
  type ContractModel,
  type UnloadableContract,
} from '../../tools/contract/src/contract.js';
import { readRunOptions, type ContractRunOptions } from '../../tools/contract/src/options.js';
import type { CaseResult, ContractResult } from '../../tools/contract/src/run/results.js';
import type { ContractUnderTest } from '../../tools/contract/src/contracts.js';
import { servedContracts } from '../scenarios/servedContracts.js';
import { runStages } from '../../tools/contract/src/run/run.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import type { Target } from '../../tools/contract/src/target/target.js';
import { contractFile } from '../support/contract.js';

export const contract = parseContractModel(readFileSync(contractFile, 'utf8'));

/** The options of a command line; the same requests of chance each time, and few of them. */
export const optionsOf = (...args: string[]): ContractRunOptions =>
  readRunOptions(['--seed', '1', '--runs', '5', ...args], { served: servedContracts, env: {} });

/** The contract, as if it had only these operations. */
export const onlyOperations = (...ids: string[]): ContractModel => ({
  ...contract,
  operations: contract.operations.filter(({ id }) => ids.includes(id)),
});

/** The contract, as if it documented only this status of one operation. */
export const onlyStatus = (id: string, status: number): ContractModel => ({
  ...contract,
  operations: contract.operations.map((operation) => ({
    ...operation,
    responses: operation.responses.filter((one) => operation.id === id && one.status === status),
  })),
});

/** Runs one stage against a target. */
export const runStageOn = (
  stage: Stage,
  target: Target,
  part: ContractModel = contract,
  options = optionsOf(),
): Promise<ContractResult> =>
  runStageAlone(stage, { contract: part, options, target: () => Promise.resolve(target) });

export const casesOf = ({ stages }: ContractResult): readonly CaseResult[] =>
  stages.flatMap(({ cases }) => cases);

/** The cases that failed, as `name → what is wrong`. */
export const failuresOf = (result: ContractResult): Record<string, string> =>
  Object.fromEntries(
    casesOf(result)
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ name, problem }) => [name, problem?.what ?? '']),
  );

/** What came of one stage. */
export type StageRun = Awaited<ReturnType<typeof runStages>>;

/** Runs one stage alone, in silence, for tests. */
export const runStageAlone = (stage: Stage, tried: Tried): Promise<StageRun> =>
  runStagesAlone([stage], tried);

interface Tried {
  readonly served?: ContractUnderTest;
  readonly contract: ContractModel | UnloadableContract;
  readonly options: ContractRunOptions;
  readonly target?: () => Promise<Target>;
}

export const runStagesAlone = (stages: readonly Stage[], tried: Tried): Promise<StageRun> =>
  runStages({
    served: servedContracts[0],
    target: () => Promise.reject(new Error('this test has no service')),
    ...tried,
    stages,
    listener: { started: () => undefined, progress: () => undefined, ended: () => undefined },
    now: Date.now,
  });
