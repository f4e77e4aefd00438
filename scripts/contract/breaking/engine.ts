import type { ContractModel } from '../contract.js';
import type { Change } from './change.js';
import { compareContracts } from './compare/compare.js';
import { compareWithOasdiff, findOasdiff } from './oasdiff.js';

/** Compares two contracts. */
export interface Engine {
  readonly name: string;
  compare(before: ContractModel, after: ContractModel): Promise<Change[]>;
}

/** What oasdiff does not know or takes more lightly: our own keys, and statuses and values that clients rely on. */
const beyondOasdiff = [
  'scope-changed',
  'request-leniency-changed',
  'response-error-changed',
  'response-status-removed',
  'response-enum-value-added',
  'request-default-changed',
];

/** oasdiff where it is installed, with our own rules beside it; otherwise our own comparison alone. */
export const chooseEngine = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  find: typeof findOasdiff = findOasdiff,
): Engine => {
  const program = find(env);
  if (program === undefined) {
    return { name: 'built-in comparison', compare: async (before, after) => compareContracts(before, after) };
  }
  return {
    name: 'oasdiff',
    compare: async (before, after) => [
      ...(await compareWithOasdiff(program, before.source, after.source)),
      ...compareContracts(before, after).filter(({ id }) => beyondOasdiff.includes(id)),
    ],
  };
};
