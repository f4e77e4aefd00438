import { isObject } from './document.js';
import type { Path, Refuse } from './source.js';

/** A value of a contract together with where it stands, so that a check can refuse it there. */
export interface Cursor {
  readonly value: unknown;
  refuse(what: string): never;
  /** What stands under a name, whether there is something or not. */
  field(name: string): Cursor;
  has(name: string): boolean;
  /** All fields. Refuses what is no object; `what` is what a person calls it. */
  fields(what: string): [name: string, field: Cursor][];
  /** All items. Refuses what is no list. */
  items(what: string): Cursor[];
  /** Refuses what is no text. */
  text(what: string): string;
}

export const makeCursor = (value: unknown, refuseAt: Refuse, path: Path = []): Cursor => {
  const refuse = (what: string): never => refuseAt(path, what);
  const refuseType = (what: string, wanted: string): never =>
    refuse(value === undefined || value === null ? `${what} is missing` : `${what} must be ${wanted}`);
  const inner = (name: string | number, field: unknown): Cursor =>
    makeCursor(field, refuseAt, [...path, name]);
  const has = (name: string): boolean => isObject(value) && Object.hasOwn(value, name);
  return {
    value,
    refuse,
    has,
    field: (name) => inner(name, has(name) ? (value as Record<string, unknown>)[name] : undefined),
    fields: (what) =>
      isObject(value)
        ? Object.entries(value).map(([name, field]) => [name, inner(name, field)])
        : refuseType(what, 'an object'),
    items: (what) =>
      Array.isArray(value)
        ? value.map((item: unknown, index) => inner(index, item))
        : refuseType(what, 'a list'),
    text: (what) => (typeof value === 'string' && value !== '' ? value : refuseType(what, 'a text')),
  };
};

/** Refuses a value that is not one of those. */
export const oneOf = (cursor: Cursor, allowed: readonly unknown[], what: string): void => {
  if (allowed.includes(cursor.value)) return;
  const given = cursor.value === undefined ? 'is missing' : `is ${JSON.stringify(cursor.value)}`;
  cursor.refuse(`${what} ${given}: one of ${allowed.map(String).join(', ')}`);
};
