import { isSafe, type HttpAnswer } from '../request.js';
import { isSameJson, jsonFields } from '../json.js';
import type { OperationModel, ResponseModel } from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';
import { schemaChosenBy } from '../document/plainSchema.js';
import { type Key, isExcuse } from '../target/keys.js';
import type { Sample } from '../target/sample.js';
import { exchangeSample, goodSample, hintsOf, permittedKey } from '../target/scenarioContext.js';
import {
  itemListOf,
  makeItemReader,
  readItems,
  type Item,
  type ItemList,
  type ItemReader,
} from './itemLists.js';
import type { StatusCheck } from './statuses.js';

/** What an operation creates is in the list at the same path, with the values that were sent and answered. */
export const checkCreated = async (check: StatusCheck, operation: OperationModel): Promise<void> => {
  const { contract, target } = check;
  const lister = contract.operations.find((one) => one.method === 'GET' && one.path === operation.path);
  const list = lister && itemListOf(lister);
  const success = operation.responses.find(({ status }) => status >= 200 && status < 300);
  const context = { contract, operation, target };
  const key = permittedKey(context);
  if (isSafe(operation.method) || !list || !success || isExcuse(key)) return;
  const reader = makeItemReader(check, list, key);
  if (!reader) return;
  const good = goodSample(context);
  for (const [how, sample] of [
    ['', good],
    [' with other values', withOtherValues(operation, good)],
  ] as const)
    if (sample) await checkOne(check, { operation, list, success, reader, key, sample, how });
};

interface Creation {
  readonly operation: OperationModel;
  readonly list: ItemList;
  readonly success: ResponseModel;
  readonly reader: ItemReader;
  readonly key: Key;
  readonly sample: Sample;
  readonly how: string;
}

const checkOne = async (
  { contract, target, recorder }: StatusCheck,
  { operation, list, success, reader, key, sample, how }: Creation,
): Promise<void> => {
  const context = { contract, operation, target };
  const sentAt = Date.now();
  const { request, answer } = await exchangeSample(context, sample, key);
  const answeredAt = Date.now();
  const created = findCreated(success.body?.schema, answer);
  if (!created || answer.status !== success.status) return;
  const tried = {
    name: `${operation.id}: what was created${how} is listed as it was created`,
    operationId: operation.id,
  };
  const listed = (await readItems(reader)).find(({ id }) => id === created['id']);
  // A service of others may have pages of its own kind.
  if (!listed && target.thirdParty) return;
  const { changing = [], shownAs = {} } = hintsOf(context);
  const sent = sentFields(request.body);
  // What changes by itself, such as a state, OpenAPI does not say.
  const isKept = (name: string): boolean =>
    !target.thirdParty || (name in sent ? isPlain(sent[name]) && !(name in shownAs) : isTimeOfCreation(name));
  const times = target.thirdParty ? ofItsClock(answer, { sentAt, answeredAt }) : { sentAt, answeredAt };
  const isOwn = (name: string): boolean => !target.thirdParty || !(name in sent);
  const faults = listed
    ? Object.entries(listed)
        .filter(([name]) => !changing.includes(name) && isKept(name))
        .flatMap(([name, value]) => [
          ...differences(name, value, created, 'the answer'),
          ...(name in shownAs || !isPlain(sent[name]) ? [] : differences(name, value, sent, 'the request')),
          ...(times && isOwn(name) ? timeFaults(name, list.fields[name], value, times) : []),
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

/**
 * Examples tend to have values that a mistake does not change, such as no time where there may be one. Ids belong to something
 * that must exist.
 */
const withOtherValues = ({ requestBody }: OperationModel, sample: Sample): Sample | undefined => {
  const sent = sentFields(sample.body);
  const { properties = {} } = schemaChosenBy(requestBody?.schema ?? {}, sent);
  const values = Object.entries(properties).flatMap(([name, schema]) => {
    const { minimum = 0, maximum = Infinity } = schema;
    if (isTime(schema)) return [[name, inTwoDays()]];
    const isOther =
      isOfType(schema, 'integer') &&
      !schema.enum &&
      typeof sent[name] === 'number' &&
      !/ids?$/i.test(name) &&
      7 >= minimum &&
      7 <= maximum;
    return isOther ? [[name, 7]] : [];
  });
  const names = typeof sent['name'] === 'string' ? { name: `${sent['name']} 7` } : {};
  if (values.length === 0) return undefined;
  return { ...sample, body: JSON.stringify({ ...sent, ...names, ...Object.fromEntries(values) }) };
};

/** In OpenAPI 3.1 a field that may be null has two types. */
const isOfType = ({ type }: SchemaModel, name: string): boolean =>
  ([type].flat() as unknown[]).includes(name);

const isTime = (schema: SchemaModel | undefined): boolean =>
  schema !== undefined && isOfType(schema, 'string') && schema['format'] === 'date-time';

/** A whole second: some services keep no parts of one. */
const inTwoDays = (): string => new Date(Math.floor(Date.now() / 1000 + 2 * 86_400) * 1000).toISOString();

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
  !(name in other) || isSameJson(value, other[name]) || isSameTime(value, other[name])
    ? []
    : [`${name} is listed as ${JSON.stringify(value)}, and in ${where} it is ${JSON.stringify(other[name])}`];

/** Objects may be shown otherwise than they are sent; lists of ids or names are not. */
const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((one) => typeof one !== 'object') : typeof value !== 'object';

/** The same moment may be written in several ways. */
const isSameTime = (one: unknown, other: unknown): boolean =>
  [one, other].every((text) => typeof text === 'string' && /^\d{4}-\d\d-\d\dT/.test(text)) &&
  Date.parse(String(one)) === Date.parse(String(other));

interface Times {
  readonly sentAt: number;
  readonly answeredAt: number;
}

/**
 * The times by the clock of a service of others, as its answer shows it in whole seconds. Services that keep no parts of a
 * second may cut them off, or round.
 */
const ofItsClock = ({ headers }: HttpAnswer, { sentAt, answeredAt }: Times): Times | undefined => {
  const date = Date.parse(headers.date ?? '');
  if (Number.isNaN(date)) return undefined;
  // The answer was made between these two, by its clock within the second of `date`.
  const [slowest, fastest] = [date - answeredAt, date + 1_000 - sentAt];
  return { sentAt: sentAt + slowest - 1_000, answeredAt: answeredAt + fastest + 1_000 };
};

const isTimeOfCreation = (name: string): boolean => /^created_?(at)?$/i.test(name);

/** The time of creation lies between the request and its answer. */
const timeFaults = (
  name: string,
  schema: SchemaModel | undefined,
  value: unknown,
  { sentAt, answeredAt }: Times,
): string[] => {
  if (!isTimeOfCreation(name) || schema?.['format'] !== 'date-time') return [];
  const at = Date.parse(String(value));
  return at >= sentAt && at <= answeredAt
    ? []
    : [
        `${name} is ${String(value)}, which is not between ${new Date(sentAt).toISOString()} and ${new Date(answeredAt).toISOString()}`,
      ];
};
