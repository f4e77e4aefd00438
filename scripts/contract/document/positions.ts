import { isAlias, isCollection, isMap, isScalar, type Document, type LineCounter, type Node } from 'yaml';
import { keysOf } from './json.js';

/** Where something stands in a file; lines and columns count from 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** Finds the position of a JSON pointer: of its key where it has one. What is not there has its parent's position. */
export type Positions = (pointer: string) => FilePosition;

export const makePositions =
  (document: Document, lines: LineCounter): Positions =>
  (pointer) => {
    let node: unknown = document.contents;
    let offset = 0;
    for (const key of keysOf(pointer)) {
      const entered = isAlias(node) ? node.resolve(document) : node;
      const found = step(entered, key);
      if (!found) break;
      offset = found.offset ?? offset;
      node = found.value;
    }
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };

const step = (node: unknown, key: string): { value: unknown; offset: number | undefined } | undefined => {
  if (!isCollection(node)) return undefined;
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    return pair && { value: pair.value, offset: (pair.key as Node).range?.[0] };
  }
  const value = node.items[Number(key)] as Node | undefined;
  return value && { value, offset: value.range?.[0] };
};
