import { FilterError, parseFilter, type Filter, type Property } from './filter.js';
import { mismatch, Refusal } from './integrationErrors.js';
import { json, type Reply } from './route.js';

/** Those that fit the query's `filter`; all of them without one. */
export const filtered = <T>(
  items: readonly T[],
  query: URLSearchParams,
  properties: Readonly<Record<string, Property<T>>>,
): readonly T[] => {
  const text = query.get('filter');
  if (text === null) return items;
  let filter: Filter<T>;
  try {
    filter = parseFilter(text, properties);
  } catch (error) {
    if (error instanceof FilterError) throw new Refusal(400, 'api.request.error', error.message);
    throw error;
  }
  return items.filter(filter);
};

/** One page as `offset` and `limit` ask for it. More than the most is not refused: the answer says how many it took. */
export const page = <T>(
  query: URLSearchParams,
  limits: { readonly usual: number; readonly most: number },
  items: readonly T[],
  show: (item: T) => unknown,
): Reply => {
  const offset = wholeNumber(query, 'offset', 0);
  const limit = Math.min(wholeNumber(query, 'limit', limits.usual), limits.most);
  const data = items.slice(offset, offset + limit).map(show);
  return json(200, { offset, limit, count: data.length, totalCount: items.length, data });
};

const wholeNumber = (query: URLSearchParams, name: string, usual: number): number => {
  const text = query.get(name);
  if (text === null) return usual;
  if (!/^\d+$/.test(text)) throw mismatch(name, text);
  return Number(text);
};
