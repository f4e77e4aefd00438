import fc from 'fast-check';
import { statusFaults } from '../conformance/answers.js';
import type { ContractModel } from '../contract.js';
import { responseTo, type OperationModel } from '../document/operations.js';
import { plainVariants } from '../document/plainSchema.js';
import { isSameJson, jsonFields } from '../json.js';
import type { HttpAnswer, HttpRequest } from '../request.js';
import type { Fault } from '../stage.js';
import { isExcuse, withKey } from '../target/keys.js';
import { requestOf, type Sample } from '../target/sample.js';
import { goodSample, hintsOf, isIfMatch, keyFor } from '../target/scenarioContext.js';
import type { Target } from '../target/target.js';
import {
  createdId,
  differences,
  elementsIn,
  entityIn,
  fieldsThat,
  isEmpty,
  lost,
  type EntityFields,
} from './entities.js';
import type { Resource } from './resources.js';
import { isNullable, presentValue, tameValue } from './tameValues.js';
import { idIn, pageSizeNames } from '../thirdParty/listedValues.js';

/** What may follow the creation of something, in this order. */
export type SequenceStep = 'read' | 'list' | 'change' | 'remove';

export interface SequenceInput {
  /** The body that it is created with. */
  readonly created: EntityFields;
  /** Bodies of the changes, in the order of the resource's operations. */
  readonly changed: readonly EntityFields[];
  readonly steps: readonly SequenceStep[];
}

/** What went over the wire. The id that the service gave stands in requests as `idMark`. */
export interface SequenceLog {
  readonly requests: HttpRequest[];
  /** Where jq finds the id in the first answer. */
  pointer?: string;
  id?: string;
}

/** Stands for the id of a new thing in what is shown. */
export const idMark = 'ID-OF-THE-NEW-ONE';

/** Something is wrong with what a sequence showed. */
export class SequenceFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault.text);
  }
}

/** A sequence that can't be judged: its first request was refused, or its answer names nothing. */
export class NotCreated extends Error {}

/** Creates something, and looks at it, changes it and removes it. Throws `SequenceFault`. */
export const runSequence = async (
  contract: ContractModel,
  target: Target,
  resource: Resource,
  { created, changed, steps }: SequenceInput,
  log: SequenceLog,
): Promise<void> => {
  const { create, list, read, changes, remove, parameter, path } = resource;
  const fail = (text: string, cause: string): never => {
    throw new SequenceFault({ text, cause });
  };
  /** The version that the last answer about it had. */
  let etag: string | undefined;
  const sampleOf = (operation: OperationModel): Sample => goodSample({ contract, operation, target });
  const send = async (operation: OperationModel, sample: Sample): Promise<HttpAnswer> => {
    const key = keyFor({ contract, operation, target });
    if (isExcuse(key)) throw new NotCreated(key.excuse);
    const requestFor = (one: Sample): HttpRequest => withKey(contract, requestOf(operation, one), key);
    // Any version is what a command can name that repeats it.
    const shown = withVersion(sample, '*');
    log.requests.push(requestFor(shown));
    const answer = await target.send(requestFor(withId(withVersion(shown, etag), parameter, log.id)));
    if (operation !== list) etag = answer.headers.etag ?? etag;
    if (answer.status >= 500)
      for (const { text, cause } of statusFaults(operation, [200], answer)) fail(text, cause);
    if (!responseTo(operation, answer.status))
      fail(
        `the status ${answer.status} is not documented for ${operation.id}`,
        `${operation.id} status ${answer.status}`,
      );
    return answer;
  };
  const item = (operation: OperationModel, body?: EntityFields): Sample => ({
    ...sampleOf(operation),
    path: { ...sampleOf(operation).path, [parameter]: idMark },
    ...(body && { body: JSON.stringify(body) }),
  });
  /** What each operation showed last. */
  const lastShown = new Map<OperationModel, EntityFields>();
  const compare = (
    operation: OperationModel,
    wanted: EntityFields,
    shown: EntityFields,
    after: string,
  ): void => {
    const before = lastShown.get(operation) ?? {};
    lastShown.set(operation, shown);
    const { shownAs = {} } = hintsOf({ contract, operation: create, target });
    const hidden = [create, ...changes].flatMap((one) => fieldsThat('writeOnly', contract, one));
    const known = Object.entries(wanted).filter(([name]) => !hidden.includes(name));
    const expected = known
      .map(([name, value]) => [name, shownAs[name] ? shownAs[name](value) : value] as const)
      .filter(([, value]) => value !== undefined);
    const [first] = differences(Object.fromEntries(expected), shown);
    if (first)
      fail(
        `${operation.id} shows ${first.name} as ${JSON.stringify(first.found)} after ${after} with ${JSON.stringify(first.wanted)}`,
        `${create.id} value of ${first.name}`,
      );
    const [gone] = lost(Object.fromEntries(expected), shown, before);
    if (gone !== undefined)
      fail(
        `${operation.id} no longer shows ${gone} after ${after} with ${JSON.stringify(wanted[gone])}`,
        `${create.id} value of ${gone}`,
      );
  };
  const find = async (operation: OperationModel): Promise<EntityFields | 'unknown' | undefined> => {
    const answer = await send(operation, wholeList(operation, sampleOf(operation)));
    if (answer.status >= 300) return 'unknown';
    const elements = elementsIn(answer.body);
    const found = elements.find((one) => String(idIn(one, parameter)) === log.id);
    return found ? jsonFields(found) : isPartial(operation, answer, elements.length) ? 'unknown' : undefined;
  };
  /** Looks at it in every way that there is. */
  const look = async (wanted: EntityFields, after: string): Promise<void> => {
    if (read && steps.includes('read')) {
      const answer = await send(read, item(read));
      if (answer.status === 404 || answer.status === 410)
        fail(`${read.id} answers ${answer.status} after ${after}`, `${path} is not found`);
      if (answer.status < 300) compare(read, wanted, entityIn(answer.body, parameter), after);
    }
    if (list && steps.includes('list')) {
      const found = await find(list);
      if (found === undefined) fail(`${list.id} does not contain it after ${after}`, `${path} is not listed`);
      else if (found !== 'unknown') compare(list, wanted, found, after);
    }
  };

  const prepared = { ...sampleOf(create), body: JSON.stringify(created) };
  const first = await hintsOf({ contract, operation: create, target }).prepare?.(prepared, {
    contract,
    operation: create,
    target,
  });
  const answer = await send(create, first ?? prepared);
  if (answer.status >= 300) throw new NotCreated(`${create.id} answers ${answer.status}`);
  const given = createdId(resource, answer);
  if (!given) throw new NotCreated(`the answer of ${create.id} does not show the id of what was created`);
  Object.assign(log, given);
  let current: EntityFields = jsonFields(JSON.parse((first ?? prepared).body ?? '{}'));
  compare(create, current, entityIn(answer.body, parameter), create.id);
  await look(current, create.id);
  for (const [index, operation] of changes.entries()) {
    if (!steps.includes('change')) continue;
    const body = withRevision(operation, changed[index] ?? {}, entityIn(answer.body, parameter));
    const changing = await send(operation, item(operation, body));
    // What it depends on beside the contract is not known.
    if (changing.status >= 300) continue;
    const isPatch = operation.method === 'PATCH';
    const shown = entityIn(changing.body, parameter);
    const unchanged = Object.keys(body).find(
      (name) => body[name] === null && !isEmpty(current[name]) && isSameJson(shown[name], current[name]),
    );
    if (unchanged !== undefined)
      fail(
        `${operation.id} shows ${unchanged} as ${JSON.stringify(shown[unchanged])} after ${operation.id} with null`,
        `${create.id} value of ${unchanged}`,
      );
    // Of another variant, other fields stay.
    if (isPatch && plainVariants(operation.requestBody?.schema ?? {})) lastShown.clear();
    current = isPatch ? { ...current, ...body } : body;
    compare(operation, current, shown, operation.id);
    await look(current, operation.id);
  }
  if (!remove || !steps.includes('remove')) return;
  const removing = await send(remove, item(remove));
  if (removing.status >= 300 || hintsOf({ contract, operation: remove, target }).softDelete) return;
  if (read) {
    const { status } = await send(read, item(read));
    if (status < 300) fail(`${read.id} answers ${status} after ${remove.id}`, `${path} is not removed`);
  }
  if (list) {
    const left = await find(list);
    if (left !== undefined && left !== 'unknown')
      fail(`${list.id} still contains it after ${remove.id}`, `${path} is not removed`);
  }
};

const withId = (sample: Sample, parameter: string, id: string | undefined): Sample =>
  sample.path[parameter] === idMark ? { ...sample, path: { ...sample.path, [parameter]: id ?? '' } } : sample;

/** A change names the revision that it is based on. */
const withRevision = (
  { requestBody }: OperationModel,
  body: EntityFields,
  entity: EntityFields,
): EntityFields => {
  const names = ['revision', 'version'].filter(
    (name) => requestBody?.schema?.properties?.[name] !== undefined && entity[name] !== undefined,
  );
  return { ...body, ...Object.fromEntries(names.map((name) => [name, entity[name]])) };
};

/** With what a change that wants to know the version has to say. */
const withVersion = (sample: Sample, version: string | undefined): Sample => ({
  ...sample,
  headers: sample.headers.map(([name, value]) =>
    isIfMatch(name) && version !== undefined ? [name, version] : [name, value],
  ),
});

/** As many elements as the list gives at once. */
const wholeList = ({ parameters }: OperationModel, sample: Sample): Sample => {
  const size = parameters.find(({ in: place, name }) => place === 'query' && pageSizeNames.test(name));
  const maximum = size?.schema?.maximum;
  if (!size || maximum === undefined) return sample;
  return {
    ...sample,
    query: [...sample.query.filter(([name]) => name !== size.name), [size.name, String(maximum)]],
  };
};

/** May there be more elements than the answer has? */
const isPartial = ({ parameters }: OperationModel, { body, headers }: HttpAnswer, count: number): boolean => {
  const maximum = parameters.find(({ name }) => pageSizeNames.test(name))?.schema?.maximum;
  const hasNext = Object.entries(jsonFields(body)).some(
    ([name, value]) => /next|cursor|more/i.test(name) && Boolean(value),
  );
  const isPaged = parameters.some(({ name }) =>
    /^(page|offset|cursor|after|before|starting_after)$/i.test(name),
  );
  return (
    hasNext ||
    /rel="?next/.test(String(headers['link'] ?? '')) ||
    (maximum ?? (isPaged ? 10 : Infinity)) <= count
  );
};

/** Which optional fields a body has: each or none by chance, all of them, as few as may be, or those that may be null, as that. */
export type BodyFields = 'any' | 'all' | 'fewest' | 'null';

/** Bodies for an operation: its example, and tame values in its place. */
export const bodiesFor = (
  contract: ContractModel,
  target: Target,
  operation: OperationModel,
  fields: BodyFields = 'any',
): fc.Arbitrary<EntityFields> => {
  const context = { contract, operation, target };
  const { schema = {}, examples = [] } = operation.requestBody ?? {};
  const base = jsonFields(JSON.parse(goodSample(context).body ?? '{}'));
  const fixed = [...fieldsThat('readOnly', contract, operation), ...Object.keys(target.substitutions)];
  const isKept = (name: string): boolean => !fixed.includes(name) || name in target.substitutions;
  const variants = (plainVariants(schema) ?? []).map((variant) => {
    const isChosen = (value: unknown): boolean => jsonFields(value)[variant.field] === variant.value;
    const example = isChosen(base) ? base : jsonFields(examples.find(({ value }) => isChosen(value))?.value);
    return { schema: variant.schema, base: { ...example, [variant.field]: variant.value } };
  });
  const shapes = variants.length > 0 ? variants : [{ schema, base }];
  return fc.oneof(
    ...shapes.map((shape) => {
      const { properties = {}, required = [] } = shape.schema;
      // What names other things has to exist.
      const free = Object.entries(properties).filter(
        ([name, field]) =>
          !fixed.includes(name) &&
          field.readOnly !== true &&
          !/(^|_)ids?$|I[dD]s?$/.test(name) &&
          Object.keys(field).length > 0,
      );
      const isFree = (name: string): boolean => free.some(([one]) => one === name);
      const others = Object.entries(shape.base).filter(
        ([name]) => isKept(name) && (!isFree(name) || required.includes(name)),
      );
      const chosen = free.filter(
        ([name, field]) =>
          fields === 'any' ||
          fields === 'all' ||
          required.includes(name) ||
          (fields === 'null' && isNullable(field)),
      );
      const valueOf = ([name, field]: (typeof free)[number]): [string, fc.Arbitrary<unknown>] => {
        if (fields === 'null' && isNullable(field)) return [name, fc.constant(null)];
        return [name, fields === 'all' ? presentValue(field) : tameValue(field)];
      };
      // A change may have to change something.
      const [something] = chosen.length + others.length > 0 ? [] : Object.entries(shape.base);
      return fc
        .record(Object.fromEntries(chosen.map(valueOf)), {
          requiredKeys: chosen
            .map(([name]) => name)
            .filter((name) => fields !== 'any' || required.includes(name)),
        })
        .map((values) => ({
          ...Object.fromEntries(something ? [something] : others),
          ...values,
        }));
    }),
  );
};
