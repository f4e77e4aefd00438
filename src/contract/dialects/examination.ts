import type { Contract, Operation } from '../contract.js';
import { makeExampleParts, type ExamplePart } from '../mock/examples.js';
import { ContractError } from '../source.js';

/**
 * Checks the operations of a contract of another service, each once. Examples that do not fit their schemas,
 * and headers that can't be sent, are taken from its definition.
 * An operation with an invalid schema is refused whenever it is used. `onLeftOut` gets each reason once.
 */
export const makeExamination = (
  contract: Contract,
  onLeftOut: (reason: string) => void,
): NonNullable<Contract['examine']> => {
  const partsOf = makeExampleParts(contract, { checksListed: false });

  const isFitting = (examine: () => void): boolean => {
    try {
      examine();
      return true;
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      onLeftOut(`${error.message}; it is not used`);
      return false;
    }
  };

  const examinePart = ({ described, check, leaveOut }: ExamplePart): void => {
    const { example, examples, ...rest } = described;
    if (leaveOut && !isFitting(() => check(rest))) {
      leaveOut();
      return;
    }
    check(rest);
    const fitting = Object.entries(examples ?? {}).filter(([name, value]) =>
      isFitting(() => check({ ...rest, examples: { [name]: value } })),
    );
    const isExampleFitting = example === undefined || isFitting(() => check({ ...rest, example }));
    // The loaded contract has a copy of it for each operation.
    const own: { example?: unknown; examples?: unknown } = described;
    if (!isExampleFitting) delete own.example;
    if (fitting.length > 0) own.examples = Object.fromEntries(fitting);
    else delete own.examples;
  };

  const findFault = (operation: Operation): ContractError | undefined => {
    try {
      partsOf(operation).forEach(examinePart);
      return undefined;
    } catch (error) {
      const { name, location } = operation;
      const fault =
        error instanceof ContractError
          ? error
          : new ContractError(`${name}: ${(error as Error).message}`, contract.locate(location));
      onLeftOut(fault.message);
      return fault;
    }
  };

  const faults = new Map<string, ContractError | undefined>();
  return (operation) => {
    if (!faults.has(operation.id)) faults.set(operation.id, findFault(operation));
    const fault = faults.get(operation.id);
    if (fault) throw fault;
  };
};
