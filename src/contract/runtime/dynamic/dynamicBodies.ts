import type { Contract, Operation } from '../../contract.js';
import { isObject, jsonContentOf, mergedSchema, type Described } from '../../document.js';
import { responseFor } from '../../responses.js';
import type { BodyGenerator } from '../mock.js';
import type { OperationRequest } from '../request.js';
import type { FitsReply } from '../validators.js';
import {
  fieldsOf,
  findCollections,
  itemsIn,
  makeCreatedObjects,
  pathOf,
  withFields,
  type Collection,
} from './collections.js';
import { loadFittingValue } from './fittingValue.js';
import { combineSeeds, loadValueGenerator } from './values.js';

type Fields = Readonly<Record<string, unknown>>;

export interface DynamicBodyOptions {
  readonly seed: number;
  readonly fitsReply: FitsReply;
  /** For a schema that no value could be made of. */
  readonly otherwise: BodyGenerator;
}

/**
 * Makes bodies from the schemas of replies. A GET gets the same body each time it is asked the same, until something
 * is created: it would not be safe otherwise. Other methods get another one each time.
 */
export const makeDynamicBodies = async (
  contract: Contract,
  { seed, fitsReply, otherwise }: DynamicBodyOptions,
): Promise<BodyGenerator> => {
  const generate = await loadValueGenerator();
  const generateBody = await loadFittingValue(fitsReply);
  const collections = findCollections(contract);
  const created = makeCreatedObjects(({ operation, status }, body) => fitsReply(operation, status, body));
  const counts = new Map<string, number>();

  const occasionOf = ({ id, method }: Operation, { path, query }: OperationRequest<unknown>): string => {
    if (method === 'get' || method === 'head') return JSON.stringify([path, query]);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return String(count);
  };

  /** The first value that fits, and that goes on fitting with what the request says of it. */
  const makeBody = (
    operation: Operation,
    status: number,
    request: OperationRequest<unknown>,
    fields: Fields,
  ): unknown => {
    const media = jsonContentOf(responseFor(operation.definition.responses, status)?.content)?.described;
    const schema = media?.schema;
    const occasion = occasionOf(operation, request);
    const fits = (body: unknown): boolean => fitsReply(operation, status, body);
    const made = generateBody(operation, status, [seed, operation.id, status, occasion]);
    if (!schema || !made) return firstExample(media) ?? otherwise(operation, status, request);
    const { value: body } = made;
    return isObject(body) ? withFields(body, fieldsOf(mergedSchema(schema), fields), fits) : body;
  };

  const remember = (collection: Collection, request: OperationRequest<unknown>, reply: unknown): void => {
    const { operation, status, item } = collection;
    const { responses } = operation.definition;
    const example = firstExample(jsonContentOf(responseFor(responses, status)?.content)?.described);
    const [shown] = itemsIn(collection, example);
    const filler = shown ?? generate(item, combineSeeds(seed, operation.id, 'created'));
    if (isObject(filler)) created.add(collection, request, reply, filler);
  };

  return (operation, status, request) => {
    const collection = collections.get(pathOf(operation));
    const { 'x-error': error, 'x-message': message } =
      responseFor(operation.definition.responses, status) ?? {};
    const isFixed = message !== undefined && !message.includes('{');
    const fields =
      error === undefined
        ? { ...request.pathParameters, ...request.query, ...(isObject(request.body) ? request.body : {}) }
        : { error, ...(isFixed ? { message } : {}) };
    const body = makeBody(operation, status, request, fields);
    if (operation === collection?.operation && status === collection.status)
      return created.list(collection, request, body);
    if (collection && operation.method === 'post' && status >= 200 && status < 300)
      remember(collection, request, body);
    return body;
  };
};

const firstExample = ({ example, examples = {} }: Described = {}): unknown =>
  example ?? Object.values(examples)[0]?.value;
