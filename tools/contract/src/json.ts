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
