import { isDeepStrictEqual } from 'node:util';
import type { HttpRequest } from '../request.js';
import { isExcuse } from '../target/keys.js';
import { hintsOf, keyFor } from '../target/scenarioContext.js';
import { sortingFaults } from './bodyRules.js';
import {
  makeItemReader,
  readItems,
  type Item,
  type ItemList,
  type ItemReader,
  type ListCheck,
} from './itemLists.js';
import type { StatusCheck } from './statuses.js';
import { isPaged } from '../thirdParty/listedValues.js';
import { checkOffset, checkPageSize, checkSortValues, checkValueLists } from './thirdPartyLists.js';

/** Filters, orders and pages of a list: of what it shows without them, each must show the right part. */
export const checkList = async (check: StatusCheck, list: ItemList): Promise<void> => {
  const { contract, target, recorder } = check;
  const { operation } = list;
  const context = { contract, operation, target };
  const isOfOthers = target.thirdParty === true;
  const key = isOfOthers ? keyFor(context) : undefined;
  if (key && isExcuse(key)) return;
  const reader = makeItemReader(check, list, key);
  if (!reader) return;
  const note: ListCheck['note'] = (name, query, what) => {
    const tried = { name: `${operation.id}: ${name}`, operationId: operation.id };
    const request: HttpRequest = reader.requestOf(query);
    if (what === undefined) recorder.passed(tried);
    else recorder.failed(tried, { what, cause: `${operation.id} ${name}`, curl: target.curl(request) });
  };
  const listCheck = { list, reader, hints: hintsOf(context).list ?? {}, isOfOthers, note };
  // What else a service of others does with a query, OpenAPI does not say.
  if (isOfOthers) {
    const { items } = await reader.read([]);
    await checkFilters(listCheck, items);
    await checkValueLists(listCheck, items);
    await checkPageSize(listCheck, items);
    await checkOffset(listCheck, items);
    await checkSortValues(listCheck);
    return;
  }
  const allIds = await listCheck.hints.allIds?.(context);
  await checkPages(listCheck, allIds);
  const { items } = await reader.read([]);
  await checkFilters(listCheck, items);
  await checkTimes(listCheck, items);
  await checkSorts(listCheck);
};

const hasParameter = ({ operation }: ItemList, name: string): boolean =>
  operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name);

/** Every item is on one page, and the order goes on from page to page. */
const checkPages = async (
  { list, reader, note }: ListCheck,
  allIds: readonly unknown[] | undefined,
): Promise<void> => {
  if (!hasParameter(list, 'cursor')) return;
  const all = await readItems(reader);
  const ids = all.map(({ id }) => id);
  const [twice] = ids.filter((id, index) => ids.indexOf(id) !== index);
  const missing = allIds?.find((id) => !ids.includes(id));
  note(
    'each item is on one page',
    [],
    twice === undefined ? undefined : `${JSON.stringify(twice)} is on two pages`,
  );
  note(
    'no item is left out between pages',
    [],
    missing === undefined ? undefined : `${JSON.stringify(missing)} is on none of the pages`,
  );
  note('the order goes on from page to page', [], sortingFaults(list.list, all, list.field ?? 'the list')[0]);
};

const readWhole = async (
  reader: ItemReader,
  query: readonly (readonly [string, string])[],
): Promise<{ items: Item[]; isGood: boolean }> => {
  const { items, answer } = await reader.read(query);
  // What names nothing may be refused.
  return { items, isGood: answer.status < 300 };
};

/** Enough to see what a query does. */
const fewPages = 3;

/** At most so many values of a field are tried. */
const maxValues = 6;

/**
 * A filter that is called like a field lets through what has this value, all of it and nothing else. In a service of others it
 * is one where it has the values of the field, too, or is called like an id; what is left out may be on another page, if there
 * are pages.
 */
const checkFilters = async (
  { list, reader, hints, isOfOthers, note }: ListCheck,
  items: readonly Item[],
): Promise<void> => {
  const { parameters } = list.operation;
  for (const { name, in: place, schema: parameter } of parameters) {
    const field = list.fields[name];
    // A list of values is tried with one of them.
    const schema = isOfOthers && parameter?.items ? parameter.items : parameter;
    if (place !== 'query' || !field || field.type !== schema?.type || schema?.type === 'array') continue;
    const hasItsValues = schema?.enum?.every((value) => field.enum?.includes(value)) ?? false;
    const namesOther = isIdName(name);
    if (isOfOthers && !hasItsValues && !namesOther) continue;
    const passes = hints.filters?.[name] ?? ((item, value) => isDeepStrictEqual(item[name], value));
    const shown = [...new Set(items.map((item) => item[name]))]
      .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
      .filter((value) => !schema?.enum || schema.enum.includes(value))
      .slice(0, maxValues);
    // A list in which all are alike does not show whether a filter does anything.
    const absent = schema?.enum?.find((value) => field.enum?.includes(value) && !shown.includes(value));
    const none =
      isOfOthers && namesOther && schema?.type === 'integer' ? (schema.maximum ?? 2 ** 31 - 1) : absent;
    const values = none === undefined || shown.includes(none) ? shown : [...shown, none];
    for (const value of values) {
      const query = [[name, String(value)] as const];
      const isWhole = isOfOthers && !isPaged(list.operation);
      const { items: found, isGood } = isWhole
        ? await readWhole(reader, query)
        : { items: await readItems(reader, query, fewPages), isGood: !isOfOthers };
      const wrong = found.find((item) => !passes(item, value));
      const ids = found.map(({ id }) => id);
      const missing = isGood
        ? items.find((item) => passes(item, value) && !ids.includes(item['id']))
        : undefined;
      note(
        `the filter ${name}=${String(value)} finds what has this value`,
        query,
        wrong
          ? `it finds ${String(wrong['id'])}, whose ${name} is ${JSON.stringify(wrong[name])}`
          : missing && `it does not find ${String(missing['id'])}`,
      );
    }
  }
};

/** What names something else by its id can be equal to it and nothing else. */
const isIdName = (name: string): boolean => /(^|_)id$|[a-z0-9]I[dD]$/.test(name);

/** `from` is part of a period and `to` is not. */
const checkTimes = async (
  { list, reader, hints, note }: ListCheck,
  items: readonly Item[],
): Promise<void> => {
  const field = hints.timeField ?? list.list['x-sorted-by']?.replace(/^-/, '');
  if (field === undefined || list.fields[field]?.['format'] !== 'date-time') return;
  if (!hasParameter(list, 'from') || !hasParameter(list, 'to')) return;
  const times = items.map((item) => String(item[field])).sort();
  const middle = times[Math.floor(times.length / 2)];
  if (middle === undefined) return;
  for (const [name, isRight, isPart] of [
    ['from', (time: string) => time >= middle, true],
    ['to', (time: string) => time < middle, false],
  ] as const) {
    const query = [[name, middle] as const];
    const found = (await readItems(reader, query, fewPages)).map((item) => String(item[field]));
    const wrong = found.find((time) => !isRight(time));
    note(
      `${name} restricts ${field}`,
      query,
      wrong === undefined
        ? found.includes(middle) === isPart
          ? undefined
          : `${middle} itself is ${isPart ? 'left out' : 'found'}`
        : `it finds ${wrong}`,
    );
  }
};

const checkSorts = async ({ reader, hints, note }: ListCheck): Promise<void> => {
  for (const [value, compare] of Object.entries(hints.sorts ?? {})) {
    const query = [['sort', value] as const];
    const found = await readItems(reader, query, fewPages);
    const index = found.findIndex((item, at) => at > 0 && compare(found[at - 1] ?? {}, item) > 0);
    const [one, other] = [found[index - 1]?.['id'], found[index]?.['id']];
    note(
      `sort=${value} sorts`,
      query,
      index < 0 ? undefined : `${String(one)} stands before ${String(other)}`,
    );
  }
};
