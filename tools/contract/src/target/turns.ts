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
  const turn = contract.operations.findIndex((operation) => operation.id === id);
  return all.filter((_, index) => (index + turn) % oneOf === 0);
};
