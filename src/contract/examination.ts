import type { Contract, Operation } from './contract.js';
import { jsonMedia, type Described } from './document.js';
import { makeExampleCheck, makeHeaderCheck } from './examples.js';
import { ContractError, type Path } from './source.js';

/**
 * Checks the operations of a contract of another service, each once. Examples that do not fit their schemas, or that could not
 * be sent, are taken from its definition, and `onLeftOut` gets the reason. An operation with an invalid schema is refused,
 * again and again, and `onLeftOut` gets the reason once.
 */
export const makeExamination = (
  contract: Contract,
  onLeftOut: (reason: string) => void,
): NonNullable<Contract['examine']> => {
  const refuse = (path: Path, what: string): never => {
    throw new ContractError(what, contract.locate(path));
  };
  const check = makeExampleCheck(contract.resolved, refuse, { checksListed: false });
  const checkHeader = makeHeaderCheck(refuse);

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

  /** Without examples `examine` refuses the schema itself, with one the example. */
  const examineDescribed = (described: Described, examine: (part: Described) => void): void => {
    const { example, examples, ...rest } = described;
    examine(rest);
    const fitting = Object.entries(examples ?? {}).filter(([name, value]) =>
      isFitting(() => examine({ ...rest, examples: { [name]: value } })),
    );
    const isExampleFitting = example === undefined || isFitting(() => examine({ ...rest, example }));
    // The loaded contract has a copy of it for each operation.
    const own: { example?: unknown; examples?: unknown } = described;
    if (!isExampleFitting) delete own.example;
    if (examples) own.examples = Object.fromEntries(fitting);
  };

  const examineOperation = ({ definition, location, name: here }: Operation): void => {
    const { parameters = [], requestBody, responses } = definition;
    const sent = requestBody?.content[jsonMedia];
    if (sent)
      examineDescribed(sent, (part) =>
        check(part, [...location, 'requestBody', 'content', jsonMedia], `${here}: the example of the body`),
      );
    parameters.forEach((parameter, index) => {
      const place = [...location, 'parameters', index];
      examineDescribed(parameter, (part) => {
        check(part, place, `${here}: the example of ${parameter.name}`);
        if (parameter.in === 'header') checkHeader(parameter.name, part, place, here);
      });
    });
    for (const [status, { headers = {}, content }] of Object.entries(responses)) {
      const place = [...location, 'responses', status];
      for (const [name, header] of Object.entries(headers)) {
        const at = [...place, 'headers', name];
        const canBeSent = (part: Described): void => checkHeader(name, part, at, `${here}: ${status}`);
        examineDescribed(header, (part) => {
          check(part, at, `${here}: ${status}: the example of ${name}`);
          if (part.example !== undefined || part.examples) canBeSent(part);
        });
        // Its schema may have the example, or its name can't be sent.
        if (!isFitting(() => canBeSent(header))) Reflect.deleteProperty(headers, name);
      }
      const answered = content?.[jsonMedia];
      if (answered)
        examineDescribed(answered, (part) =>
          check(part, [...place, 'content', jsonMedia], `${here}: ${status}: the example`),
        );
    }
  };

  const findFault = (operation: Operation): ContractError | undefined => {
    try {
      examineOperation(operation);
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
