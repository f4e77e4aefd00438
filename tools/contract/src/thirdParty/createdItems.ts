import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { createdId } from '../sequences/entities.js';
import { resourcesOf, type Resource } from '../sequences/resources.js';
import { isExcuse, withKey } from '../target/keys.js';
import {
  exampleSample,
  requestOf,
  substitutionName,
  type Sample,
  type Substitutions,
} from '../target/sample.js';
import { exchangeSample, goodSample, isIfMatch, keyFor, permittedKey } from '../target/scenarioContext.js';
import type { OperationHints, ScenarioContext, Target } from '../target/target.js';

// A run that may change things changes and deletes what it has created, and nothing else in the service.

type Hints = Readonly<Record<string, OperationHints>>;

/** Creates one item of each resource, with the contract's example, and names its id where paths need it. */
export const createItems = async (
  contract: ContractModel,
  target: Omit<Target, 'planFor'>,
): Promise<Substitutions> => {
  let { substitutions } = target;
  if (!target.allowWrites) return substitutions;
  const depth = ({ path }: Resource): number => path.split('/').length;
  for (const resource of resourcesOf(contract).toSorted((one, other) => depth(one) - depth(other))) {
    const { parameter, path, create } = resource;
    // Without an operation that takes its id, an item is of no use.
    if (!usersOf(contract, resource).some(({ method }) => method !== 'DELETE')) continue;
    const context = { contract, operation: create, target: { ...target, substitutions } };
    try {
      const id = await createItem(resource, context);
      const name = substitutionName({ path: `${path}/{${parameter}}` }, { name: parameter, in: 'path' });
      if (id !== undefined) substitutions = { ...substitutions, [name]: id };
    } catch {
      // The stages say what is wrong with the service, or that no more requests may be sent.
      return substitutions;
    }
  }
  return substitutions;
};

const usersOf = ({ operations }: ContractModel, { path, parameter }: Resource): OperationModel[] =>
  operations.filter((operation) => `${operation.path}/`.startsWith(`${path}/{${parameter}}/`));

/** The id of a new item; undefined where the service does not create one of the example, or does not show its id. */
const createItem = async (resource: Resource, context: ScenarioContext): Promise<string | undefined> => {
  const key = permittedKey(context);
  if (isExcuse(key)) return undefined;
  const { answer } = await exchangeSample(context, goodSample(context), key);
  return answer.status < 300 ? createdId(resource, answer)?.id : undefined;
};

/** How requests are prepared that no scenario prepares: what they delete is created first, and `If-Match` is current. */
export const preparingHints = (contract: ContractModel, hints: Hints): Hints => {
  const resources = resourcesOf(contract);
  const prepared = contract.operations.map((operation): [string, OperationHints] => {
    const known = hints[operation.id] ?? {};
    const removed = resources.find(({ remove }) => remove === operation);
    const read = contract.operations.find(({ method, path }) => method === 'GET' && path === operation.path);
    const condition = operation.parameters.find((one) => one.in === 'header' && isIfMatch(one.name));
    const steps = [
      ...(removed ? [withCreatedItem(removed)] : []),
      ...(read && condition ? [withCurrentETag(read, condition.name)] : []),
    ];
    if (known.prepare || steps.length === 0) return [operation.id, known];
    const prepare = async (sample: Sample, context: ScenarioContext): Promise<Sample> => {
      let result = sample;
      for (const step of steps) result = await step(result, context);
      return result;
    };
    return [operation.id, { ...known, prepare, preparingRequests: steps.length }];
  });
  return { ...hints, ...Object.fromEntries(prepared) };
};

type Prepare = NonNullable<OperationHints['prepare']>;

/** A new item in place of the one that all operations share. Other ids are what is tested, or come from scenarios. */
const withCreatedItem =
  (resource: Resource): Prepare =>
  async (sample, context) => {
    const { contract, operation, target } = context;
    const { parameter, create } = resource;
    const usual = exampleSample(operation, target.substitutions).path[parameter];
    if (sample.path[parameter] !== usual || !target.allowWrites) return sample;
    const id = await createItem(resource, { contract, operation: create, target });
    return id === undefined ? sample : { ...sample, path: { ...sample.path, [parameter]: id } };
  };

/** The ETag of a GET in place of the example of a required `If-Match`. */
const withCurrentETag =
  (read: OperationModel, name: string): Prepare =>
  async (sample, context) => {
    const { contract, operation, target } = context;
    const valueIn = ({ headers }: Sample): string | undefined => headers.find(([one]) => one === name)?.[1];
    const usual = valueIn(exampleSample(operation, target.substitutions));
    const key = keyFor({ contract, operation: read, target });
    if (usual === undefined || valueIn(sample) !== usual || isExcuse(key)) return sample;
    const { headers } = await target.send(
      withKey(contract, requestOf(read, { path: sample.path, query: [], headers: [] }), key),
    );
    const others = sample.headers.filter(([one]) => one !== name);
    return { ...sample, headers: [...others, [name, headers.etag ?? '*'] as const] };
  };
