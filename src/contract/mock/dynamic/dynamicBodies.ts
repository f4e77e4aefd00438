import type { Contract, Operation } from '../../contract.js';
import { boundRecursion } from '../boundedSchema.js';
import { fieldsOfVariants, isSameVariant } from '../../dialects/discriminators.js';
import { isObject, jsonContentOf, type Described } from '../../document.js';
import { responseFor } from '../../responses.js';
import { errorFields, withFields } from '../fittingFields.js';
import type { BodyGenerator, OperationRequest } from '../../runtime/request.js';
import type { FitsReply } from '../../runtime/validators.js';
import {
  fieldsOf,
  findCollections,
  itemsIn,
  makeCreatedObjects,
  pathOf,
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
 * Makes bodies from the schemas of replies. A GET gets the same body each time it is asked the same,
 * until something is created: it would not be safe otherwise. Other methods get another one each time.
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
    const isWanted = (body: unknown): boolean => !schema || isSameVariant(schema, body, fields);
    const made = generateBody(operation, status, [seed, operation.id, status, occasion], isWanted);
    if (!schema || !made) return firstExample(media) ?? otherwise(operation, status, request);
    const { value: body } = made;
    return isObject(body) ? withFields(body, fieldsOf(fieldsOfVariants(schema), fields), fits) : body;
  };

  const remember = (collection: Collection, request: OperationRequest<unknown>, reply: unknown): void => {
    const { operation, status, item } = collection;
    const { responses } = operation.definition;
    const example = firstExample(jsonContentOf(responseFor(responses, status)?.content)?.described);
    const shown = itemsIn(collection, example).find((one) => isSameVariant(item, one, reply));
    const made =
      shown ?? generate(boundRecursion(item, 'nothing'), combineSeeds(seed, operation.id, 'created'));
    const filler = isSameVariant(item, made, reply) ? made : reply;
    if (isObject(filler)) created.add(collection, request, reply, filler);
  };

  return (operation, status, request) => {
    const collection = collections.get(pathOf(operation));
    const fields = errorFields(contract, operation, status, request) ?? {
      ...request.pathParameters,
      ...request.query,
      ...(isObject(request.body) ? request.body : {}),
    };
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
