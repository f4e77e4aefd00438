import { isLarge, type ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';

/**
 * What is the same for all operations, a large contract shows with all of them together: each tries one of so many, other ones
 * than its neighbour.
 */
export const inTurn = <T>(
  contract: Pick<ContractModel, 'operations'>,
  { id }: Pick<OperationModel, 'id'>,
  all: readonly T[],
  oneOf: number,
): readonly T[] => {
  if (!isLarge(contract)) return all;
  const turn = turnOf(contract, id);
  return all.filter((_, index) => (index + turn) % oneOf === 0);
};

const turnOf = ({ operations }: Pick<ContractModel, 'operations'>, id: string): number =>
  operations.findIndex((operation) => operation.id === id);

/** All of them; in a large contract each operation begins with another one than its neighbour. */
export const startingInTurn = <T>(
  contract: Pick<ContractModel, 'operations'>,
  { id }: Pick<OperationModel, 'id'>,
  all: readonly T[],
): readonly T[] => {
  const start = isLarge(contract) && all.length > 0 ? turnOf(contract, id) % all.length : 0;
  return [...all.slice(start), ...all.slice(0, start)];
};
