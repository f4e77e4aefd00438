import { isDeepStrictEqual } from 'node:util';
import type { Path } from '../../../../src/contract/source.js';
import type { SchemaModel } from '../document/schemaModel.js';
import type { Direction } from '../../../../src/contract/dialects/direction.js';
import { compareLists, written, type Note } from './change.js';

interface Comparison {
  readonly direction: Direction;
  /** Names the value in sentences. */
  readonly what: string;
  /** Where the new schema stands. */
  readonly location: Path;
  readonly note: Note;
}

/** Takes down a change of one schema: `isWider` says whether it allows more values than before. */
type Tell = (isWider: boolean, id: string, text: string) => void;

/** Compares two schemas and everything in them. */
export const compareSchemas = (before: SchemaModel, after: SchemaModel, comparison: Comparison): void => {
  const { direction, what, location, note } = comparison;
  const tell: Tell = (isWider, id, text) => {
    const isBreaking = isWider === (direction === 'response');
    note(isBreaking ? 'breaking' : 'compatible', `${direction}-${id}`, `${what}: ${text}`, location);
  };
  compareTypes(before, after, direction, tell);
  compareEnums(before.enum, after.enum, tell);
  compareBounds(before, after, tell);
  comparePatterns(before.pattern, after.pattern, comparison);
  if (direction === 'request') compareReading(before, after, comparison);
  const [wasOpen, isOpen] = [before, after].map((schema) => schema.additionalProperties !== false);
  if (wasOpen !== isOpen)
    tell(
      isOpen === true,
      'openness-changed',
      `fields that are not named are ${isOpen ? 'now' : 'no longer'} allowed`,
    );
  for (const keyword of ['allOf', 'oneOf', 'anyOf', 'not'])
    if (!isDeepStrictEqual(before[keyword], after[keyword])) {
      const text = `${what}: ${keyword} changed; look at it yourself`;
      note('risky', `${direction}-${keyword}-changed`, text, location);
    }
  compareProperties(before, after, comparison);
  if (before.items && after.items) {
    const items = { ...comparison, what: `an element of ${what}`, location: [...location, 'items'] };
    compareSchemas(before.items, after.items, items);
  }
};

/** A request may go from integer to number, a response the other way. */
const compareTypes = (before: SchemaModel, after: SchemaModel, direction: Direction, tell: Tell): void => {
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
  /** Is it one of the changes that no client notices? */
  const tellChange = (keyword: 'type' | 'format', isHarmless: boolean): void => {
    if (before[keyword] === after[keyword]) return;
    const text = `${keyword} changed from ${written(before[keyword])} to ${written(after[keyword])}`;
    tell(isHarmless === (direction === 'request'), `${keyword}-changed`, text);
  };
  tellChange('type', (narrow.type === 'integer' && wide.type === 'number') || wide.type === undefined);
  tellChange('format', narrow.format !== undefined && wide.format === undefined);
  const [was, is] = [before, after].map(({ nullable }) => nullable === true);
  if (was !== is) tell(is === true, 'nullable-changed', is ? 'may now be null' : 'may no longer be null');
};

/** An enum that is not there allows every value. */
const compareEnums = (from: SchemaModel['enum'], to: SchemaModel['enum'], tell: Tell): void => {
  const listed = (values: readonly unknown[]): string => values.map(written).join(', ');
  if (from && !to) tell(true, 'enum-removed', `is no longer one of ${listed(from)}`);
  if (!from && to) tell(false, 'enum-added', `must now be one of ${listed(to)}`);
  if (!from || !to) return;
  const { removed, added } = compareLists(from, to, written);
  for (const value of added) tell(true, 'enum-value-added', `the value ${written(value)} was added`);
  for (const value of removed) tell(false, 'enum-value-removed', `the value ${written(value)} was removed`);
};

const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const restrictions = ['exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems'];

/** What a request may hold must not shrink, what a response may hold must not grow. */
const compareBounds = (before: SchemaModel, after: SchemaModel, tell: Tell): void => {
  /** The higher, the tighter. */
  const tightness = (schema: SchemaModel, keyword: string): number => {
    const value = schema[keyword];
    if (restrictions.includes(keyword)) return Number(value === true);
    if (typeof value !== 'number') return -Infinity;
    return upperBounds.includes(keyword) ? -value : value;
  };
  for (const keyword of [...lowerBounds, ...upperBounds, ...restrictions]) {
    const [from, to] = [tightness(before, keyword), tightness(after, keyword)];
    if (from === to) continue;
    const verb = to > from ? 'tightened' : 'loosened';
    const text = `${keyword} ${verb} from ${written(before[keyword])} to ${written(after[keyword])}`;
    tell(to < from, `bound-${verb}`, text);
  }
};

/** Nobody can tell which of two patterns is the narrower one. */
const comparePatterns = (
  before: string | undefined,
  after: string | undefined,
  { direction, what, location, note }: Comparison,
): void => {
  if (before === after) return;
  const text = `${what}: pattern changed from ${written(before)} to ${written(after)}`;
  const isWider = direction === 'request' ? after === undefined : before === undefined;
  const severity = isWider ? 'compatible' : direction === 'request' ? 'breaking' : 'risky';
  note(severity, `${direction}-pattern-changed`, text, location);
};

/** What accepts values that the schema alone would refuse; without it clients that send them fail. */
const lenient = [
  'x-lenient',
  'x-leading-number',
  'x-trim',
  'x-below-minimum',
  'x-above-maximum',
  'x-otherwise',
];

/** What the service makes of a value that a client sends or leaves out. No tool knows it, and clients rely on it. */
const compareReading = (
  before: SchemaModel,
  after: SchemaModel,
  { what, location, note }: Comparison,
): void => {
  const change = (key: string, from: unknown, to: unknown): string =>
    `${what}: ${key} changed from ${written(from)} to ${written(to)}`;
  if (!isDeepStrictEqual(before.default, after.default)) {
    const severity = before.default === undefined ? 'compatible' : 'breaking';
    note(severity, 'request-default-changed', change('default', before.default, after.default), location);
  }
  for (const key of lenient) {
    const [from, to] = [before[key], after[key]].map((value) => (value === false ? undefined : value));
    if (from === to) continue;
    const severity = from === undefined ? 'compatible' : to === undefined ? 'breaking' : 'risky';
    note(severity, 'request-leniency-changed', change(key, from, to), location);
  }
};

const compareProperties = (before: SchemaModel, after: SchemaModel, comparison: Comparison): void => {
  const { direction, what, location, note } = comparison;
  const isRequired = (schema: SchemaModel, name: string): boolean => (schema.required ?? []).includes(name);
  const [had = [], has = []] = [before, after].map(({ properties = {} }) => Object.entries(properties));
  const { removed, added, kept } = compareLists(had, has, ([name]) => name);
  const nameOf = (name: string): string => `property '${name}' of ${what}`;
  for (const [name] of removed)
    note('breaking', `${direction}-property-removed`, `${nameOf(name)} was removed`, location);
  for (const [[name, was], [, is]] of kept) {
    const inner = { ...comparison, what: nameOf(name), location: [...location, 'properties', name] };
    const needed = isRequired(after, name);
    if (isRequired(before, name) !== needed) {
      const id = `${direction}-property-became-${needed ? 'required' : 'optional'}`;
      const text = `${inner.what} ${needed ? 'is now required' : 'is no longer required'}`;
      note(needed === (direction === 'request') ? 'breaking' : 'compatible', id, text, inner.location);
    }
    compareSchemas(was, is, inner);
  }
  for (const [name, is] of added) {
    // A field with a default is never missing, whatever `required` says.
    const isNeeded = isRequired(after, name) && !('default' in is);
    const severity = direction === 'request' && isNeeded ? 'breaking' : 'compatible';
    const text = `${nameOf(name)} was added${isNeeded ? ' and is required' : ''}`;
    note(severity, `${direction}-property-added`, text, [...location, 'properties', name]);
  }
};
