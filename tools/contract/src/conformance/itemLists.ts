import type { OperationModel } from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';
import { fieldsOfObject } from '../document/plainSchema.js';
import { jsonFields, jsonList } from '../json.js';
import type { HttpAnswer, HttpRequest } from '../request.js';
import { type Key, isExcuse, scopesOf, withKey } from '../target/keys.js';
import { requestOf, type Sample } from '../target/sample.js';
import { goodSample } from '../target/scenarioContext.js';
import type { ListHints } from '../target/target.js';
import type { StatusCheck } from './statuses.js';

export type Item = Readonly<Record<string, unknown>>;

/** An operation that lists things which have an id. */
export interface ItemList {
  readonly operation: OperationModel;
  /** The field of the body that has them; undefined where the body is the list. */
  readonly field: string | undefined;
  readonly list: SchemaModel;
  /** Of an item. */
  readonly fields: Readonly<Record<string, SchemaModel>>;
}

/** The list of an operation, if it is one. */
export const itemListOf = (operation: OperationModel): ItemList | undefined => {
  // What one thing consists of is no list of things.
  if (operation.method !== 'GET' || operation.path.endsWith('}')) return undefined;
  const body = operation.responses.find(({ status }) => status === 200)?.body?.schema ?? {};
  const isOfThings = ({ items }: SchemaModel): boolean =>
    items !== undefined && fieldsOfObject(items)['id'] !== undefined;
  // What else there is belongs to the first.
  const inside = Object.entries(body.properties ?? {}).find(([, schema]) => isOfThings(schema));
  const [field, list] = isOfThings(body) ? [undefined, body] : (inside ?? [undefined, {}]);
  const { items } = list;
  return items ? { operation, field, list, fields: fieldsOfObject(items) } : undefined;
};

/** Reads a list with a key that sees all of it. */
export interface ItemReader {
  readonly sample: Sample;
  requestOf(query: Sample['query']): HttpRequest;
  /** One page, and where the next begins. */
  read(query: Sample['query']): Promise<{ items: Item[]; next: string | undefined; answer: HttpAnswer }>;
}

/** What a check of a list needs. */
export interface ListCheck {
  readonly list: ItemList;
  readonly reader: ItemReader;
  readonly hints: ListHints;
  readonly isOfOthers: boolean;
  note(name: string, query: readonly (readonly [string, string])[], what: string | undefined): void;
}

export const makeItemReader = (
  { contract, target }: StatusCheck,
  { operation, field }: ItemList,
  used?: Key,
): ItemReader | undefined => {
  const key = used ?? target.keys.permitting(scopesOf(contract).at(-1));
  if (isExcuse(key)) return undefined;
  const sample = goodSample({ contract, operation, target });
  const build = (query: Sample['query']): HttpRequest =>
    withKey(contract, requestOf(operation, { ...sample, query: [...sample.query, ...query] }), key);
  return {
    sample,
    requestOf: build,
    read: async (query) => {
      const answer = await target.send(build(query));
      const { next, ...fields } = jsonFields(answer.body);
      return {
        items: jsonList(field === undefined ? answer.body : fields[field]).map(jsonFields),
        next: typeof next === 'string' ? next : undefined,
        answer,
      };
    },
  };
};

/** No list of a run has more pages. */
const maxPages = 100;

/** All pages of a list. */
export const readItems = async (
  reader: ItemReader,
  query: Sample['query'] = [],
  pages = maxPages,
): Promise<Item[]> => {
  const all: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const read = await reader.read([
      ...query,
      ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
    ]);
    all.push(...read.items);
    cursor = read.next;
    if (cursor === undefined) break;
  }
  return all;
};
