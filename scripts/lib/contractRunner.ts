// The contract run for `voucherd contract`, which is a file of its own in the package.
import type { ContractRunner, ContractRunSummary } from '../../src/cli/contract/contractRunner.js';
import { causesIn, isGood, outcomeOf, type RunResult } from '../../tools/contract/src/run/results.js';
import { UsageError } from '../../tools/contract/src/secret.js';
import { runThirdPartyContract } from '../../tools/contract/src/thirdParty/thirdPartyRun.js';
import { closeOnSignal } from './closeOnSignal.js';

export const runContract: ContractRunner['runContract'] = async (request, { env, write, isQuiet }) => {
  const isTerminal = !isQuiet && process.stdout.isTTY && !env['CI'];
  try {
    const result = await runThirdPartyContract(request, {
      env,
      screen: { isTerminal, columns: process.stdout.columns, write },
      now: Date.now,
      onInterrupt: closeOnSignal,
    });
    return result ? toSummary(result, request.out) : { kind: 'interrupted' };
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'refused', reason: error.message };
    throw error;
  }
};

const toSummary = (result: RunResult, out: string): ContractRunSummary => {
  const stages = result.contracts.flatMap((contract) => contract.stages);
  return {
    kind: 'done',
    isGood: isGood(result),
    seed: result.seed,
    requests: result.sentRequests,
    reports: out,
    stages: stages.map((stage) => ({
      name: stage.name,
      outcome: outcomeOf(stage),
      cases: stage.cases.length,
      failures: causesIn(stage, 'failed').map(({ name, problem }) => ({
        name,
        what: problem?.what ?? '',
        at: problem?.at ?? null,
        curl: problem?.curl ?? null,
      })),
    })),
  };
};
