import { groupBy } from '../../../../src/lib/collections.js';
import { errorFaults, sortingFaults } from '../conformance/bodyRules.js';
import type { ContractModel } from '../contract.js';
import { collectSchemaValues, type Example } from '../document/examples.js';
import { makeValidator, type ValidatorOptions } from '../document/validator.js';
import { judgeSample } from '../generated/oracle/oracle.js';
import type { Stage, StageProblem } from '../stage.js';
import { exampleSample, withExample } from '../target/sample.js';

/** Judges examples and defaults by the contract alone; what the service makes of them is tried by `conformance`. */
export const examples: Stage = {
  name: 'examples',
  title: 'every example and every default is what the contract itself says',
  run: async ({ served, contract, recorder }) => {
    const options = { strict: !served.thirdParty };
    // One of a shared component is checked once, for the first operation that uses it.
    const checked = new Set<string>();
    const isNew = (at: string): boolean => !checked.has(at) && Boolean(checked.add(at));
    const shared = groupBy(contract.examples, ({ location }) => contract.at(location));
    for (const example of contract.examples) {
      const at = contract.at(example.location);
      if (!isNew(at)) continue;
      const { operationId, title } = example;
      const tried = { name: `${operationId} ${title}: the example fits the contract`, operationId };
      const problem =
        schemaProblem(contract, example, options) ?? exampleProblem(contract, example, shared.get(at) ?? []);
      if (!example.schema) recorder.skipped(tried, 'there is no schema that it could fit; lint tells where');
      else if (problem) recorder.failed(tried, problem);
      else recorder.passed(tried);
    }
    for (const value of contract.operations.flatMap(collectSchemaValues)) {
      if (!isNew(contract.at(value.location))) continue;
      const { operationId, title } = value;
      const tried = { name: `${operationId} ${title} fits its schema`, operationId };
      const problem = schemaProblem(contract, value, options);
      if (problem) recorder.failed(tried, problem);
      else recorder.passed(tried);
    }
  },
};

/** Does a value fit its schema as it stands, without what the service would forgive? */
const schemaProblem = (
  contract: ContractModel,
  { value, schema = {}, location }: Pick<Example, 'value' | 'schema' | 'location'>,
  options: ValidatorOptions,
): StageProblem | undefined => {
  const faults = makeValidator(schema, options)(value);
  const [first] = faults;
  if (!first) return undefined;
  const at = contract.at([...location, ...first.path]);
  const what = `The value does not fit its schema: ${faults.map(({ text }) => text).join('; ')}`;
  return { what, at, cause: `value ${at.replace(/:\d+$/, '')}` };
};

/**
 * What a schema does not say of an example. A response that operations share is an example of one of them, whose limit it
 * may name.
 */
const exampleProblem = (
  contract: ContractModel,
  example: Example,
  same: readonly Example[],
): StageProblem | undefined => {
  const isResponse = example.kind === 'response';
  if (isResponse && same.some((one) => responseFaults(contract, one).length === 0)) return undefined;
  const faults = isResponse ? responseFaults(contract, example) : requestFaults(contract, example);
  if (faults.length === 0) return undefined;
  const what = `The example is not what the contract says: ${faults.join('; ')}`;
  return { what, at: contract.at(example.location) };
};

const responseFaults = (
  contract: ContractModel,
  { operationId, status, schema, value }: Example,
): string[] => {
  const operation = contract.operation(operationId);
  const response = operation.responses.find((one) => one.status === status);
  if (!response) return [];
  // Seconds are those of the example.
  const headers = { 'retry-after': /\d+/.exec(JSON.stringify(value))?.[0] };
  return [...errorFaults(operation, response, { headers, body: value }), ...sortingFaults(schema, value)];
};

/** A client that copies an example must succeed. */
const requestFaults = (contract: ContractModel, example: Example): string[] => {
  if (example.kind === 'header') return [];
  const operation = contract.operation(example.operationId);
  const sample = withExample(operation, exampleSample(operation, {}), example, example.value);
  const verdict = judgeSample(operation, sample);
  if (verdict.kind === 'too large') return ['the body is larger than the contract allows'];
  if (verdict.kind !== 'refused') return [];
  // What is wrong elsewhere in the request is said there.
  const own = example.kind === 'request' ? 'body' : `${example.in ?? ''} ${example.name}`;
  return verdict.field.startsWith(own) ? [`the contract refuses ${verdict.field}`] : [];
};
