import { isObject } from '../../../src/contract/document.js';

/** The fields of a value, none when it is no object. */
export const jsonFields = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const jsonList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
