import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { jsonFields, jsonList } from '../json.js';
import { BudgetSpent } from '../target/budget.js';
import { isExcuse, withKey } from '../target/keys.js';
import { requestOf, substitutionName, type Substitutions } from '../target/sample.js';
import { goodSample, keyFor } from '../target/scenarioContext.js';
import type { Target } from '../target/target.js';

/** The ids of things that the service has, as its lists show them: those of examples are of other places. */
export const findListedValues = async (
  contract: ContractModel,
  target: Omit<Target, 'planFor'>,
): Promise<Substitutions> => {
  let substitutions: Substitutions = target.substitutions;
  const depth = ({ path }: OperationModel): number => path.split('/').length;
  const lists = contract.operations
    .filter(({ method }) => method === 'GET')
    .toSorted((one, other) => depth(one) - depth(other));
  for (const operation of lists) {
    const names = idsBelow(contract, operation.path);
    if (names.length === 0) continue;
    const context = { contract, operation, target: { ...target, substitutions } };
    const key = keyFor(context);
    if (isExcuse(key)) continue;
    try {
      const answer = await target.send(withKey(contract, requestOf(operation, goodSample(context)), key));
      const [first] = answer.status === 200 ? listIn(answer.body) : [];
      for (const name of names) {
        const value = idIn(first, name);
        const place = substitutionName({ path: `${operation.path}/{${name}}` }, { name, in: 'path' });
        if (value !== undefined) substitutions = { ...substitutions, [place]: value };
      }
    } catch (error) {
      if (error instanceof BudgetSpent) return substitutions;
      // The stages say what is wrong with it.
    }
  }
  return substitutions;
};

/** The parameters that stand right behind a path: `petId` behind `/pets`. */
const idsBelow = ({ operations }: ContractModel, path: string): string[] => {
  const names = operations.flatMap((one) => {
    const rest = one.path.startsWith(`${path}/`) ? one.path.slice(path.length + 1) : '';
    return /^\{([^{}]+)\}(?:\/|$)/.exec(rest)?.[1] ?? [];
  });
  return [...new Set(names)];
};

/** What parameters are called that say how many items a list has at most. */
export const pageSizeNames = /^(limit|per_?page|page_?size|size|count|max_?results)$/i;

/** And how many there are before its first one. */
export const offsetNames = /^(offset|skip)$/i;

/** And which page of them it has. */
const pageNames = /^(page|page_?(number|no|token)|cursor|after|before|starting_?after|ending_?before|next)$/i;

/** May a list have a part of its items only? */
export const isPaged = ({ parameters }: OperationModel): boolean =>
  parameters.some(({ name }) => [pageSizeNames, offsetNames, pageNames].some((names) => names.test(name)));

/** A body that is a list, or the only list among its fields. */
export const listIn = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return body;
  const lists = Object.values(jsonFields(body)).filter((field) => Array.isArray(field));
  return lists.length === 1 ? jsonList(lists[0]) : [];
};

/** The field that a parameter of the path names: of the same name, or the end of it, as `id` is of `petId`. */
export const idIn = (item: unknown, parameter: string): string | number | undefined => {
  const fields = jsonFields(item);
  const ending = /(?:[a-z0-9]|_|-)(Id|id|ID|Uuid|uuid|UUID|Name|name|Key|key|Code|code|Slug|slug)$/.exec(
    parameter,
  )?.[1];
  const candidates = [parameter, ending, ending?.toLowerCase(), 'id', 'uuid'];
  const values = candidates.map((name) => (name === undefined ? undefined : fields[name]));
  return values.find((value) => typeof value === 'string' || typeof value === 'number');
};
