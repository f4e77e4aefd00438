import { schemaChosenBy } from '../document/plainSchema.js';
import type { OperationModel } from '../document/operations.js';
import { judgeSample } from '../generated/oracle/oracle.js';
import { isSameJson, jsonFields, jsonOf } from '../json.js';
import { isExcuse, withKey } from '../target/keys.js';
import { requestOf, type Sample } from '../target/sample.js';
import { exchange, goodSample, hintsOf, permittedKey } from '../target/scenarioContext.js';
import { itemListOf, makeItemReader, readItems, type Item } from './itemLists.js';
import type { StatusCheck } from './statuses.js';

/**
 * What an operation changes is listed as it was sent, also what is taken away and what was not there before: examples
 * tend to set what may be null, and then nobody sees that it stays.
 */
export const checkChanged = async (check: StatusCheck, operation: OperationModel): Promise<void> => {
  const { contract, target, recorder } = check;
  const [, path, parameter] = /^(.+)\/\{([^{}]+)\}$/.exec(operation.path) ?? [];
  const lister = contract.operations.find((one) => one.method === 'GET' && one.path === path);
  const list = lister && itemListOf(lister);
  const context = { contract, operation, target };
  const key = permittedKey(context);
  if (!['PUT', 'PATCH'].includes(operation.method) || !parameter || !list || isExcuse(key)) return;
  const reader = makeItemReader(check, list, key);
  if (!reader) return;
  const { prepare, changing = [], shownAs = {} } = hintsOf(context);
  const good = goodSample(context);
  const sample = (await prepare?.(good, context)) ?? good;
  const find = async (): Promise<Item | undefined> =>
    (await readItems(reader)).find(({ id }) => String(id) === sample.path[parameter]);
  const before = await find();
  if (!before) return;
  for (const [how, fields] of changesOf(operation, sample, before)) {
    // It was prepared already: what it names is not to be made once more.
    const complete = requestOf(operation, { ...sample, body: JSON.stringify(fields) });
    const { request, answer } = await exchange(context, withKey(contract, complete, key));
    // What it depends on beside the contract is not known.
    if (answer.status >= 300) continue;
    const sent = jsonFields(jsonOf(String(request.body)));
    const listed = (await find()) ?? {};
    const tried = { name: `${operation.id}: ${how} is listed so`, operationId: operation.id };
    const wrong = Object.keys(sent).find(
      (name) =>
        name in listed &&
        !changing.includes(name) &&
        !(name in shownAs) &&
        !isSameJson(sent[name], listed[name]),
    );
    if (wrong === undefined) recorder.passed(tried);
    else
      recorder.failed(tried, {
        what: `${wrong} is listed as ${JSON.stringify(listed[wrong])}, and was changed to ${JSON.stringify(sent[wrong])}`,
        cause: `${operation.id} listed`,
        curl: target.curl(request),
      });
  }
};

/** All that may be null is taken away, and given again; nothing for an operation where nothing may. */
const changesOf = (
  operation: OperationModel,
  sample: Sample,
  before: Item,
): (readonly [how: string, fields: Item])[] => {
  const sent = jsonFields(jsonOf(sample.body));
  const { properties = {} } = schemaChosenBy(operation.requestBody?.schema ?? {}, sent);
  const nullable = Object.entries(properties).filter(
    ([name, { nullable: isNullable }]) => isNullable && name in before,
  );
  if (nullable.length === 0) return [];
  const without = { ...sent, ...Object.fromEntries(nullable.map(([name]) => [name, null])) };
  const filled = {
    ...sent,
    ...Object.fromEntries(nullable.map(([name]) => [name, sent[name] ?? before[name] ?? null])),
  };
  const all = [
    ['what is given', filled],
    ['what is taken away', without],
    ['what is given again', filled],
  ] as const;
  return all.filter(
    ([, fields]) => judgeSample(operation, { ...sample, body: JSON.stringify(fields) }).kind !== 'refused',
  );
};
