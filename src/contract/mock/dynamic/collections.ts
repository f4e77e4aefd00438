import { LRUCache } from 'lru-cache';
import type { Contract, Operation } from '../../contract.js';
import { fieldsOfVariants, isSameVariant } from '../../dialects/discriminators.js';
import { isObject, jsonContentOf, mergedSchema, type Schema } from '../../document.js';
import { responseFor, statusesOf } from '../../responses.js';
import { withFields } from '../fittingFields.js';
import type { OperationRequest } from '../../runtime/request.js';
import { newestTime, sortingOf, sortItems } from './values.js';

type Fields = Readonly<Record<string, unknown>>;

/** A GET whose reply is a list of objects, alone or as the one list in an object. */
export interface Collection {
  readonly operation: Operation;
  readonly status: number;
  readonly list: Schema;
  readonly item: Schema;
  /** Of an item. */
  readonly fields: Readonly<Record<string, Schema>>;
  /** What the reply calls the list. `undefined`: the list is the reply. */
  readonly name: string | undefined;
}

/** Does the schema of a collection's reply hold for this body? */
export type FitsCollection = (collection: Collection, body: unknown) => boolean;

/** What clients have created, as far as lists show it. */
export interface CreatedObjects {
  /**
   * Remembers what the reply and the input of a request have created.
   * `filler` has the fields that neither says.
   */
  add(collection: Collection, request: OperationRequest<unknown>, reply: unknown, filler: Fields): void;
  /**
   * The body of a list as the query asks for it, with what was created at the same path and fits the query.
   */
  list(collection: Collection, request: OperationRequest<unknown>, body: unknown): unknown;
}

/** Of what was created, the oldest is forgotten: a mock that runs for weeks must not grow. */
const limits = { objects: 1_000, bytes: 16 * 1024 * 1024 };

/** The collections of a contract, by the path of their operation. */
export const findCollections = ({ operations }: Contract): ReadonlyMap<string, Collection> =>
  new Map(
    [...operations.values()].flatMap((operation) => {
      const collection = operation.method === 'get' ? collectionOf(operation) : undefined;
      return collection ? [[pathOf(operation), collection] as const] : [];
    }),
  );

/** The path of an operation as the contract writes it. */
export const pathOf = ({ location }: Operation): string => String(location[1]);

const collectionOf = (operation: Operation): Collection | undefined => {
  const { responses } = operation.definition;
  const [status] = statusesOf(responses).filter((code) => code >= 200 && code < 300);
  const written =
    status === undefined
      ? undefined
      : jsonContentOf(responseFor(responses, status)?.content)?.described.schema;
  if (status === undefined || !written) return undefined;
  const schema = mergedSchema(written);
  const lists = Object.entries(schema.properties ?? {}).filter(([, field]) => itemOf(field));
  const [name, list] = itemOf(schema) ? [undefined, schema] : lists.length === 1 ? (lists[0] ?? []) : [];
  const item = list && itemOf(list);
  return list && item ? { operation, status, list, item, fields: fieldsOfVariants(item), name } : undefined;
};

const itemOf = (list: Schema): Schema | undefined => {
  const { type, items } = mergedSchema(list);
  const item = type === 'array' && items ? mergedSchema(items) : undefined;
  return item && Object.keys(fieldsOfVariants(item)).length > 0 ? item : undefined;
};

/** The items of a collection in a reply. */
export const itemsIn = ({ name }: Collection, body: unknown): readonly unknown[] => {
  const items = name === undefined ? body : isObject(body) ? body[name] : undefined;
  return Array.isArray(items) ? items : [];
};

const withItems = ({ name }: Collection, body: unknown, items: readonly unknown[]): unknown =>
  name === undefined ? items : { ...(isObject(body) ? body : {}), [name]: items };

interface CreatedObject {
  readonly path: string;
  readonly item: Fields;
  /** What a query can ask for: of the input, and of the item. */
  readonly attributes: Fields;
}

export const makeCreatedObjects = (fits: FitsCollection): CreatedObjects => {
  let count = 0;
  const created = new LRUCache<number, CreatedObject>({
    max: limits.objects,
    maxSize: limits.bytes,
    sizeCalculation: (object) => JSON.stringify(object).length,
  });

  return {
    add: (collection, request, reply, filler) => {
      count += 1;
      const { parameters } = collection.operation;
      const input = { ...request.pathParameters, ...request.query, ...asFields(request.body) };
      const time = timeOf(collection, count);
      const known = { ...sharedFields(collection.fields, asFields(reply), input), ...time };
      const item = withFields(filler, known, (candidate) =>
        fits(collection, withItems(collection, reply, [candidate])),
      );
      const all: Fields = { ...item, ...input };
      const names = parameters.query.map(({ name }) => name).filter((name) => Object.hasOwn(all, name));
      const attributes = Object.fromEntries(names.map((name) => [name, all[name]]));
      created.set(count, { path: request.path, item, attributes });
    },
    list: (collection, request, body) => {
      const { query } = request;
      const matching = [...created.values()].filter(
        ({ path, attributes }) => path === request.path && matches(attributes, query),
      );
      const { maxItems = Infinity } = mergedSchema(collection.list);
      const wanted = fieldsOf(collection.fields, query);
      const others = itemsIn(collection, body)
        .filter((item) => isSameVariant(collection.item, item, wanted))
        .map((item) =>
          withFields(asFields(item), wanted, (candidate) =>
            fits(collection, withItems(collection, body, [candidate])),
          ),
        );
      const all = [...matching.map(({ item }) => item), ...others];
      const listed = withItems(collection, body, sortItems(collection.list, all).slice(0, maxItems));
      return fits(collection, listed) ? listed : body;
    },
  };
};

/** Those of the fields that a schema names. */
export const fieldsOf = (named: Readonly<Record<string, Schema>>, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(named, name)));

const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

/**
 * What was created last is the newest, where a list is sorted
 * by time. The clock is part of the seed: it does not run.
 */
const timeOf = ({ list, fields }: Collection, count: number): Fields => {
  const { field = '' } = sortingOf(list) ?? {};
  const isTime = fields[field]?.format === 'date-time';
  return isTime ? { [field]: new Date(newestTime + count * 1_000).toISOString() } : {};
};

/**
 * The fields of an item that the reply or the input has, under the same name or without a prefix:
 * `order_code` is `code`, unless an item has a `code` as well.
 */
const sharedFields = (named: Readonly<Record<string, Schema>>, ...sources: readonly Fields[]): Fields => {
  const names = Object.keys(named);
  const isShort = (short: string, name: string): boolean =>
    !names.includes(short) &&
    (name.endsWith(`_${short}`) || name.endsWith(short.charAt(0).toUpperCase() + short.slice(1)));
  return Object.fromEntries(
    names.flatMap((name) => {
      const equal = sources.find((source) => Object.hasOwn(source, name));
      if (equal) return [[name, equal[name]]];
      const values = sources.flatMap((source) =>
        Object.entries(source).filter(([short]) => isShort(short, name)),
      );
      return values[0] ? [[name, values[0][1]]] : [];
    }),
  );
};

/** What a query asks for that is not known of the object, such as a page, does not matter. */
const matches = (attributes: Fields, query: Fields): boolean =>
  Object.entries(query).every(
    ([name, wanted]) =>
      !Object.hasOwn(attributes, name) || [wanted].flat().map(String).includes(String(attributes[name])),
  );
