import { jsonFields, keysOf, pointer, type Json } from './json.js';
import { followReferences, type DocumentNode } from './references.js';

/** Walks the document from place to place, references followed. */
export interface Reader {
  /** The whole document. */
  readonly start: DocumentNode;
  /** What stands at a JSON pointer. */
  at(pointer: string): DocumentNode;
  go(place: DocumentNode, ...keys: readonly (string | number)[]): DocumentNode;
  /** Every element or field of what stands there. */
  each(place: DocumentNode): readonly (readonly [key: string, place: DocumentNode])[];
  /** What stands there without references inside. */
  whole(place: DocumentNode): unknown;
}

/** `resolved` is the same document without references. */
export const makeReader = (document: Json, resolved: Json): Reader => {
  const go: Reader['go'] = (place, ...keys) =>
    keys.reduce<DocumentNode>(
      (at, key) =>
        followReferences(document, {
          value: childOf(at.value, String(key)),
          pointer: pointer(at.pointer, key),
        }),
      place,
    );
  const start = { value: document, pointer: '' };
  return {
    start,
    at: (path) => go(start, ...keysOf(path)),
    go,
    each: (place) => Object.keys(Object(place.value) as object).map((key) => [key, go(place, key)]),
    whole: (place) => keysOf(place.pointer).reduce<unknown>(childOf, resolved),
  };
};

const childOf = (value: unknown, key: string): unknown =>
  Array.isArray(value) ? (value as unknown[])[Number(key)] : jsonFields(value)[key];
