import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../src/contract/document.js';

/** The fields of a value, none when it is no object. */
export const jsonFields = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const jsonList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether two values mean the same in JSON, which knows no negative zero. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(withoutNegativeZero(one), withoutNegativeZero(other));

const withoutNegativeZero = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);

/** Is one of the texts, numbers and names of fields in a value such? Without recursion: values may be nested deeply. */
export const hasLeaf = (value: unknown, isSuch: (leaf: unknown) => boolean): boolean => {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (Array.isArray(one)) for (const item of jsonList(one)) open.push(item);
    else if (isObject(one)) for (const [name, field] of Object.entries(one)) open.push(name, field);
    else if (isSuch(one)) return true;
  }
  return false;
};

/** What a text stands for; `undefined` if it is no JSON. */
export const jsonOf = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A text, or a number, in JSON that can be read. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** The same with each number as it is written. */
export const parseWithTexts = (text: string): unknown =>
  jsonOf(text.replace(textOrNumber, (found) => (found.startsWith('"') ? found : `"${found}"`)));
