import { jsonFields, keysOf, type Json } from './json.js';

/** Something of the document, and where it really stands. */
export interface DocumentNode {
  readonly value: unknown;
  readonly pointer: string;
}

/** Follows `$ref` until something stands there that is none. A reference to nothing stays as it is. */
export const followReferences = (document: Json, place: DocumentNode): DocumentNode => {
  const seen = new Set<string>();
  let { value, pointer } = place;
  for (;;) {
    const { $ref: reference } = jsonFields(value);
    if (typeof reference !== 'string' || !reference.startsWith('#/') || seen.has(reference)) break;
    seen.add(reference);
    const target = keysOf(decodeURIComponent(reference.slice(1))).reduce<unknown>(
      (node, key) => jsonFields(node)[key],
      document,
    );
    if (target === undefined) break;
    value = target;
    pointer = decodeURIComponent(reference.slice(1));
  }
  return { value, pointer };
};
