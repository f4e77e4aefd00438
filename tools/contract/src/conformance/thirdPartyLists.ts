import type { SchemaModel } from '../document/schemaModel.js';
import { isSameJson } from '../json.js';
import { parameterTexts } from '../target/parameterTexts.js';
import { isPaged, offsetNames, pageSizeNames } from '../thirdParty/listedValues.js';
import type { Item, ListCheck } from './itemLists.js';

// What the names of parameters promise of a list, in a service of others.

/** `offset=1` begins with the second item. */
export const checkOffset = async (
  { list, reader, note }: ListCheck,
  items: readonly Item[],
): Promise<void> => {
  const offset = list.operation.parameters.find(
    ({ in: place, name, schema }) =>
      place === 'query' && offsetNames.test(name) && schema?.type === 'integer',
  );
  const [, second] = items;
  if (!offset || !second) return;
  const ids = (found: readonly Item[]): readonly unknown[] => found.map(({ id }) => id);
  const query = [[offset.name, '1'] as const];
  const { items: found, answer } = await reader.read(query);
  if (answer.status >= 300) return;
  // A list in another order each time, or that has just changed, shows nothing.
  const { items: again } = await reader.read([]);
  if (!isSameJson(ids(items), ids(again))) return;
  const first = found[0]?.['id'];
  note(
    `${offset.name}=1 leaves out the first item`,
    query,
    isSameJson(first, second['id'])
      ? undefined
      : `it begins with ${inWords(first)}, and the second item is ${inWords(second['id'])}`,
  );
};

const inWords = (id: unknown): string => (id === undefined ? 'none' : JSON.stringify(id));

/** `limit=1` shows one item, if there are more. */
export const checkPageSize = async (
  { list, reader, note }: ListCheck,
  items: readonly Item[],
): Promise<void> => {
  const size = list.operation.parameters.find(
    ({ in: place, name, schema }) =>
      place === 'query' && pageSizeNames.test(name) && schema?.type === 'integer',
  );
  const { minimum = 1 } = size?.schema ?? {};
  if (!size || minimum < 1 || items.length <= minimum) return;
  const query = [[size.name, String(minimum)] as const];
  const { items: found } = await reader.read(query);
  note(
    `${size.name}=${String(minimum)} limits the list`,
    query,
    found.length > minimum ? `it has ${String(found.length)} items` : undefined,
  );
};

const sortNames = /^(sort|sort_?by|order|order_?by)$/i;

/** `sort=-created` and its like sort by a field, if it has numbers or times: how texts are sorted, OpenAPI does not say. */
export const checkSortValues = async ({ list, reader, note }: ListCheck): Promise<void> => {
  const sort = list.operation.parameters.find(
    ({ in: place, name }) => place === 'query' && sortNames.test(name),
  );
  const values = (sort?.schema?.enum ?? []).filter((value) => typeof value === 'string');
  for (const value of values) {
    const order = orderOf(value, values);
    const field = order && list.fields[order.field];
    if (!sort || !field || !isComparable(field)) continue;
    const query = [[sort.name, value] as const];
    const { items } = await reader.read(query);
    const found = items.map((item) => item[order.field]).filter((one) => one !== null && one !== undefined);
    const isRight = order.directions.some((direction) =>
      found.every((one, index) => index === 0 || compare(found[index - 1], one) * direction <= 0),
    );
    note(
      `${sort.name}=${value} sorts`,
      query,
      isRight ? undefined : `${order.field} is ${found.map(String).slice(0, 5).join(', ')}`,
    );
  }
};

interface Order {
  readonly field: string;
  /** 1 is ascending, -1 descending; both where a name alone may mean either. */
  readonly directions: readonly number[];
}

/** `name`, `-name`, `name:desc`, `name_desc` */
const orderOf = (value: string, all: readonly string[]): Order | undefined => {
  const [, sign = '', field = '', word = ''] = /^([-+]?)(\w+?)(?:[ :_.-](asc|desc))?$/i.exec(value) ?? [];
  if (field === '') return undefined;
  if (sign === '-' || word.toLowerCase() === 'desc') return { field, directions: [-1] };
  // Beside the other direction it is the usual one.
  const isAscending = sign === '+' || word !== '' || all.includes(`-${field}`);
  return { field, directions: isAscending ? [1] : [1, -1] };
};

const isComparable = ({ type, format }: SchemaModel): boolean =>
  ['integer', 'number'].includes(String(type)) || ['date', 'date-time'].includes(String(format));

const compare = (one: unknown, other: unknown): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : Date.parse(String(one)) - Date.parse(String(other));

/** Of a filter that takes several values, two find what has either. */
export const checkValueLists = async (
  { list, reader, note }: ListCheck,
  items: readonly Item[],
): Promise<void> => {
  if (isPaged(list.operation)) return;
  for (const { name, in: place, schema, written } of list.operation.parameters) {
    const allowed = schema?.items?.enum;
    const known = list.fields[name]?.enum;
    if (place !== 'query' || !allowed?.every((value) => known?.includes(value))) continue;
    if ((schema?.maxItems ?? 2) < 2) continue;
    const values = [...new Set(items.map((item) => item[name]))].filter((value) => allowed.includes(value));
    if (values.length < 2) continue;
    for (const chosen of [values.slice(0, 2), values.slice(0, 2).toReversed()]) {
      const query = parameterTexts(written, chosen);
      const { items: found, answer } = await reader.read(query);
      if (answer.status >= 300) continue;
      const ids = found.map(({ id }) => id);
      const missing = items.find((item) => chosen.includes(item[name]) && !ids.includes(item['id']));
      note(
        `the filter ${name} finds what has one of ${chosen.join(', ')}`,
        query,
        missing && `it does not find ${inWords(missing['id'])}, whose ${name} is ${inWords(missing[name])}`,
      );
    }
  }
};
