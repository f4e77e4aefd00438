import { isSafe, type HttpAnswer } from '../request.js';
import { isSameJson, jsonFields } from '../json.js';
import type { OperationModel, SchemaModel } from '../document/operations.js';
import { isExcuse } from '../target/keys.js';
import { exchangeSample, goodSample, hintsOf, permittedKey } from '../target/scenarioContext.js';
import { itemListOf, makeItemReader, readAllPages, type Item } from './itemLists.js';
import type { StatusCheck } from './statuses.js';

/** What an operation creates is in the list at the same path, with the values that were sent and answered. */
export const checkCreated = async (check: StatusCheck, operation: OperationModel): Promise<void> => {
  const { contract, target, recorder } = check;
  const lister = contract.operations.find((one) => one.method === 'GET' && one.path === operation.path);
  const list = lister && itemListOf(lister);
  const success = operation.responses.find(({ status }) => status >= 200 && status < 300);
  const context = { contract, operation, target };
  const key = permittedKey(context);
  if (isSafe(operation.method) || !list || !success || isExcuse(key)) return;
  const sentAt = Date.now();
  const { request, answer } = await exchangeSample(context, goodSample(context), key);
  const answeredAt = Date.now();
  const created = findCreated(success.body?.schema, answer);
  const reader = makeItemReader(check, list, key);
  if (!created || !reader || answer.status !== success.status) return;
  const tried = {
    name: `${operation.id}: what was created is listed as it was created`,
    operationId: operation.id,
  };
  const listed = (await readAllPages(reader)).find(({ id }) => id === created['id']);
  const { changing = [], shownAs = {} } = hintsOf(context);
  const sent = sentFields(request.body);
  const faults = listed
    ? Object.entries(listed)
        .filter(([name]) => !changing.includes(name))
        .flatMap(([name, value]) => [
          ...differences(name, value, created, 'the answer'),
          ...(name in shownAs || typeof sent[name] === 'object'
            ? []
            : differences(name, value, sent, 'the request')),
          ...timeFaults(name, list.item.properties?.[name], value, { sentAt, answeredAt }),
        ])
    : [`${list.operation.id} does not list ${String(created['id'])}`];
  if (faults.length === 0) recorder.passed(tried);
  else
    recorder.failed(tried, {
      what: faults.join('; '),
      cause: `${operation.id} listed`,
      curl: target.curl(reader.requestOf([])),
    });
};

/** The object of an answer that has an id: the answer itself, or one of its fields. */
const findCreated = (schema: SchemaModel | undefined, { body }: HttpAnswer): Item | undefined => {
  const fields = jsonFields(body);
  const inside = Object.keys(schema?.properties ?? {}).map((name) => jsonFields(fields[name]));
  return [fields, ...inside].find((one) => one['id'] !== undefined);
};

const sentFields = (body: unknown): Item => {
  try {
    return jsonFields(JSON.parse(String(body)));
  } catch {
    return {};
  }
};

const differences = (name: string, value: unknown, other: Item, where: string): string[] =>
  !(name in other) || isSameJson(value, other[name])
    ? []
    : [`${name} is listed as ${JSON.stringify(value)}, and in ${where} it is ${JSON.stringify(other[name])}`];

/** The time of creation lies between the request and its answer. */
const timeFaults = (
  name: string,
  schema: SchemaModel | undefined,
  value: unknown,
  { sentAt, answeredAt }: { readonly sentAt: number; readonly answeredAt: number },
): string[] => {
  if (!/^created_?(at)?$/i.test(name) || schema?.['format'] !== 'date-time') return [];
  const at = Date.parse(String(value));
  return at >= sentAt && at <= answeredAt
    ? []
    : [
        `${name} is ${String(value)}, which is not between ${new Date(sentAt).toISOString()} and ${new Date(answeredAt).toISOString()}`,
      ];
};
