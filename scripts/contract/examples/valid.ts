import type { ContractModel } from '../contract.js';
import { keysOf } from '../document/json.js';
import { schemaValues } from '../document/schemaValues.js';
import type { SchemaModel } from '../document/types.js';
import { makeFaultFinder } from '../document/validator.js';
import type { Case, Recorder } from '../stage.js';

interface Checked {
  readonly name: string;
  readonly operationId?: string;
  readonly value: unknown;
  readonly schema: SchemaModel | undefined;
  readonly pointer: string;
}

/** Every example and every default fits its schema as it stands, without what the service would forgive. */
export const checkExampleValues = (contract: ContractModel, recorder: Recorder): void => {
  for (const { name, operationId, value, schema, pointer } of checkedOf(contract)) {
    const tried: Case = { name, ...(operationId !== undefined && { operationId }) };
    if (!schema) {
      recorder.skipped(tried, 'there is no schema that it could fit; lint tells where');
      continue;
    }
    const faults = makeFaultFinder(schema, { strict: true })(value);
    const [first] = faults;
    if (!first) recorder.passed(tried);
    else {
      const what = `The value does not fit its schema: ${faults.map(({ text }) => text).join('; ')}`;
      recorder.failed(tried, { what, at: contract.at(pointer + first.pointer) });
    }
  }
};

/** An example of a shared component is checked once, for the first operation that uses it. */
const checkedOf = (contract: ContractModel): Checked[] => {
  const examples = contract.examples.map(({ operationId, title, value, schema, pointer }) => ({
    name: `${operationId} ${title}: the example fits its schema`,
    operationId,
    value,
    schema,
    pointer,
  }));
  const values = schemaValues(contract).map(({ kind, value, schema, pointer }) => ({
    name: `${namesIn(pointer)}: the ${kind} fits its schema`,
    value,
    schema,
    pointer,
  }));
  return [...new Map([...examples, ...values].reverse().map((one) => [one.pointer, one])).values()].reverse();
};

/** `components.schemas.VoucherOrder.max_uses` */
const namesIn = (pointer: string): string =>
  keysOf(pointer)
    .slice(0, -1)
    .filter((key) => key !== 'properties')
    .join('.');
