import { documentValue, type ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { isSameJson, jsonFields, jsonList } from '../json.js';
import type { HttpAnswer } from '../request.js';
import { idIn } from '../thirdParty/listedValues.js';
import { isObject } from '../../../../src/contract/document.js';
import type { Resource } from './resources.js';

export type EntityFields = Readonly<Record<string, unknown>>;

/** One thing in an answer: itself, or the only object that has its id. */
export const entityIn = (body: unknown, parameter: string): EntityFields => {
  if (idIn(body, parameter) !== undefined) return jsonFields(body);
  const inside = Object.values(jsonFields(body)).filter((field) => idIn(field, parameter) !== undefined);
  return inside.length === 1 ? jsonFields(inside[0]) : jsonFields(body);
};

/** The id of what was created, and where the answer has it; undefined when it does not show one. */
export const createdId = (
  { parameter, idPointer }: Resource,
  { body, headers }: HttpAnswer,
): { readonly id: string; readonly pointer?: string } | undefined => {
  const found = idPointer
    ? idPointer.reduce<unknown>((value, name) => jsonFields(value)[name], body)
    : idIn(entityIn(body, parameter), parameter);
  if (typeof found === 'string' || typeof found === 'number')
    return { id: String(found), ...pointerTo(body, found) };
  const last = headers.location
    ?.replace(/[?#].*/, '')
    .split('/')
    .at(-1);
  return last === undefined || last === '' ? undefined : { id: decodeURIComponent(last) };
};

/** Where jq finds a value: `.id`, `.book.id`. */
const pointerTo = (body: unknown, value: unknown): { readonly pointer?: string } => {
  const direct = Object.entries(jsonFields(body)).find(([, field]) => field === value)?.[0];
  if (direct !== undefined) return { pointer: `.${direct}` };
  for (const [name, field] of Object.entries(jsonFields(body))) {
    const inside = Object.entries(jsonFields(field)).find(([, one]) => one === value)?.[0];
    if (inside !== undefined) return { pointer: `.${name}.${inside}` };
  }
  return {};
};

/** The elements of all lists of an answer. */
export const elementsIn = (body: unknown): readonly unknown[] =>
  Array.isArray(body) ? body : Object.values(jsonFields(body)).flatMap(jsonList);

/** The names of fields of a request that are only read, or only written, as the contract's file has them. */
export const fieldsThat = (
  keyword: 'readOnly' | 'writeOnly',
  { loaded }: ContractModel,
  { location, requestBody }: OperationModel,
): string[] => {
  if (!requestBody) return [];
  const schema = [...location, 'requestBody', 'content', requestBody.mediaType, 'schema'];
  return Object.keys(requestBody.schema?.properties ?? {}).filter(
    (name) => jsonFields(documentValue(loaded.document, [...schema, 'properties', name]))[keyword] === true,
  );
};

/** EntityFields that were sent, and that a thing shows with other values: `pages` → what it shows. */
export const differences = (
  sent: EntityFields,
  shown: EntityFields,
): { name: string; wanted: unknown; found: unknown }[] =>
  Object.entries(sent)
    .filter(([name, value]) => name in shown && !isShownAs(value, shown[name]))
    .map(([name, wanted]) => ({ name, wanted, found: shown[name] }));

/** Fields that were shown with the values that were sent, and now are not, although they should have some. */
export const lost = (sent: EntityFields, shown: EntityFields, before: EntityFields): string[] =>
  Object.keys(sent).filter((name) => name in before && !(name in shown) && !isEmpty(sent[name]));

/** What many services leave out of their answers. */
export const isEmpty = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Objects may show more than was sent, and instants may be written in another way. What becomes of `null` is the service's
 * matter: often a default.
 */
const isShownAs = (sent: unknown, shown: unknown): boolean => {
  if (sent === null || isSameJson(sent, shown)) return true;
  if (isObject(sent) && isObject(shown)) return differences(sent, shown).length === 0;
  const instants = [sent, shown].map((value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : NaN,
  );
  return instants[0] === instants[1];
};
