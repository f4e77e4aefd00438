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

// A run that may change things changes and removes what it has created, and not what others have in the service.

type Hints = Readonly<Record<string, OperationHints>>;

/** Creates one item of each resource, with the contract's example, and names its id where paths need it. */
export const createOwnItems = async (
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
    const id = await createItem(resource, {
      contract,
      operation: create,
      target: { ...target, substitutions },
    });
    const name = substitutionName({ path: `${path}/{${parameter}}` }, { name: parameter, in: 'path' });
    if (id !== undefined) substitutions = { ...substitutions, [name]: id };
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

/**
 * How requests are prepared that scenarios say nothing of: what is removed was created for it, and `If-Match` has the
 * current ETag.
 */
export const preparingHints = (contract: ContractModel, hints: Hints): Hints => {
  const resources = resourcesOf(contract);
  const own = contract.operations.map((operation): [string, OperationHints] => {
    const known = hints[operation.id] ?? {};
    const removed = resources.find(({ remove }) => remove === operation);
    const read = contract.operations.find(({ method, path }) => method === 'GET' && path === operation.path);
    const condition = operation.parameters.find((one) => one.in === 'header' && isIfMatch(one.name));
    const steps = [
      ...(removed ? [withOwnItem(removed)] : []),
      ...(read && condition ? [withCurrentETag(read, condition.name)] : []),
    ];
    if (known.prepare || steps.length === 0) return [operation.id, known];
    const prepare = async (sample: Sample, context: ScenarioContext): Promise<Sample> => {
      let prepared = sample;
      for (const step of steps) prepared = await step(prepared, context);
      return prepared;
    };
    return [operation.id, { ...known, prepare, preparingRequests: steps.length }];
  });
  return { ...hints, ...Object.fromEntries(own) };
};

type Prepare = NonNullable<OperationHints['prepare']>;

/** Where the path names what the run has for all operations. Other ids are tested, or those of scenarios. */
const withOwnItem =
  (resource: Resource): Prepare =>
  async (sample, context) => {
    const { contract, operation, target } = context;
    const { parameter, create } = resource;
    const usual = exampleSample(operation, target.substitutions).path[parameter];
    if (sample.path[parameter] !== usual || !target.allowWrites) return sample;
    const id = await createItem(resource, { contract, operation: create, target });
    return id === undefined ? sample : { ...sample, path: { ...sample.path, [parameter]: id } };
  };

/** Where a required `If-Match` has the value of the example. */
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
