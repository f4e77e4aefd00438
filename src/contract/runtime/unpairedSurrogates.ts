import type { ErrorObject } from 'ajv';
import { isObject } from '../document.js';

/**
 * Finds the texts of a JSON body with half a surrogate pair, as `"\ud800"` writes it. No database and no encoding can
 * hold them, and JSON schema has no word against them. Names of fields count as texts of the object that has them.
 */
export const unpairedSurrogates = (body: unknown, path = '/requestBody'): ErrorObject[] => {
  if (typeof body === 'string') return body.isWellFormed() ? [] : [errorAt(path)];
  if (Array.isArray(body))
    return body.flatMap((item: unknown, index) => unpairedSurrogates(item, `${path}/${String(index)}`));
  if (!isObject(body) || Object.getPrototypeOf(body) !== Object.prototype) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    name.isWellFormed() ? unpairedSurrogates(value, `${path}/${name}`) : [errorAt(path)],
  );
};

const errorAt = (instancePath: string): ErrorObject => ({
  instancePath,
  schemaPath: '',
  keyword: 'wellFormed',
  params: {},
  message: 'must not have unpaired surrogates',
});
