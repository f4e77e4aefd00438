import { isDeepStrictEqual } from 'node:util';
import type { ContractModel } from '../../contract.js';
import { jsonFields } from '../../document/json.js';
import type { DocumentNode } from '../../document/references.js';
import type { SchemaModel } from '../../document/types.js';
import type { Direction, Note } from '../change.js';
import { compareBounds, written } from './bounds.js';
import { compareDefault, compareEnum, compareType } from './values.js';

/** A schema before and after, each with its place. */
export interface SchemaPair {
  readonly before: DocumentNode;
  readonly after: DocumentNode;
}

export interface SchemaComparison {
  readonly before: ContractModel;
  readonly after: ContractModel;
  readonly direction: Direction;
  readonly note: Note;
}

/** Compares two schemas and everything in them. `what` names the value in sentences. */
export const compareSchemas = (
  comparison: SchemaComparison,
  pair: SchemaPair,
  what: string,
  above: readonly string[] = [],
): void => {
  const { direction } = comparison;
  const place = `${pair.before.pointer} ${pair.after.pointer}`;
  // A schema inside itself was compared further up.
  if (above.includes(place)) return;
  const [before, after] = [
    jsonFields(pair.before.value) as SchemaModel,
    jsonFields(pair.after.value) as SchemaModel,
  ];
  const note: Note = (severity, id, text, pointer = pair.after.pointer) =>
    comparison.note(severity, id, text, pointer);
  compareType(before, after, what, direction, note);
  compareEnum(before, after, what, direction, note);
  compareBounds(before, after, what, direction, note);
  if (direction === 'request') {
    compareDefault(before, after, what, note);
    compareLeniency(before, after, what, note);
  }
  compareOpenness(before, after, what, direction, note);
  compareParts(before, after, what, direction, note);
  compareProperties({ ...comparison, note }, pair, what, [...above, place]);
  if (before.items && after.items) {
    compareSchemas(comparison, step(comparison, pair, 'items'), `an element of ${what}`, [...above, place]);
  }
};

const step = (
  { before, after }: SchemaComparison,
  pair: SchemaPair,
  ...keys: readonly string[]
): SchemaPair => ({
  before: before.reader.go(pair.before, ...keys),
  after: after.reader.go(pair.after, ...keys),
});

const compareProperties = (
  comparison: SchemaComparison,
  pair: SchemaPair,
  what: string,
  above: readonly string[],
): void => {
  const { direction, note } = comparison;
  const [before, after] = [
    jsonFields(pair.before.value) as SchemaModel,
    jsonFields(pair.after.value) as SchemaModel,
  ];
  const [had, has] = [before.properties ?? {}, after.properties ?? {}];
  const isRequired = (schema: SchemaModel, name: string): boolean => (schema.required ?? []).includes(name);
  for (const name of Object.keys(had)) {
    const property = `property '${name}' of ${what}`;
    const child = step(comparison, pair, 'properties', name);
    if (!(name in has)) {
      note('breaking', `${direction}-property-removed`, `${property} was removed`);
      continue;
    }
    const [was, is] = [isRequired(before, name), isRequired(after, name)];
    if (was !== is) {
      const isBreaking = is === (direction === 'request');
      note(
        isBreaking ? 'breaking' : 'compatible',
        `${direction}-property-became-${is ? 'required' : 'optional'}`,
        `${property} ${is ? 'is now required' : 'is no longer required'}`,
        child.after.pointer,
      );
    }
    compareSchemas(comparison, child, property, above);
  }
  for (const name of Object.keys(has).filter((key) => !(key in had))) {
    const { after: place } = step(comparison, pair, 'properties', name);
    // A field with a default is never missing, whatever `required` says.
    const isNeeded = isRequired(after, name) && !('default' in jsonFields(place.value));
    note(
      direction === 'request' && isNeeded ? 'breaking' : 'compatible',
      `${direction}-property-added`,
      `property '${name}' of ${what} was added${isNeeded ? ' and is required' : ''}`,
      place.pointer,
    );
  }
};

/** May there be fields that the schema does not name? */
const compareOpenness = (
  before: SchemaModel,
  after: SchemaModel,
  what: string,
  direction: Direction,
  note: Note,
): void => {
  const [wasOpen, isOpen] = [before.additionalProperties !== false, after.additionalProperties !== false];
  if (wasOpen === isOpen) return;
  const isBreaking = isOpen === (direction === 'response');
  note(
    isBreaking ? 'breaking' : 'compatible',
    `${direction}-openness-changed`,
    `${what}: fields that are not named are ${isOpen ? 'now allowed' : 'no longer allowed'}`,
  );
};

const compareParts = (
  before: SchemaModel,
  after: SchemaModel,
  what: string,
  direction: Direction,
  note: Note,
): void => {
  for (const keyword of ['allOf', 'oneOf', 'anyOf', 'not']) {
    if (isDeepStrictEqual(before[keyword], after[keyword])) continue;
    note('risky', `${direction}-${keyword}-changed`, `${what}: ${keyword} changed; look at it yourself`);
  }
};

/** What accepts values that the schema alone would refuse; without it clients that send them fail. */
const accepting = [
  'x-lenient',
  'x-leading-number',
  'x-trim',
  'x-below-minimum',
  'x-above-maximum',
  'x-otherwise',
];

/** Our own keys of request fields. No tool knows them, and clients rely on them. */
const compareLeniency = (before: SchemaModel, after: SchemaModel, what: string, note: Note): void => {
  for (const key of accepting) {
    const [from, to] = [before[key], after[key]].map((value) => (value === false ? undefined : value));
    if (from === to) continue;
    const severity = from === undefined ? 'compatible' : to === undefined ? 'breaking' : 'risky';
    note(
      severity,
      'request-leniency-changed',
      `${what}: ${key} changed from ${written(from)} to ${written(to)}`,
    );
  }
};
