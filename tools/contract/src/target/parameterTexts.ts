import { isObject, type Parameter } from '../../../../src/contract/document.js';
import { objectFormOf } from '../../../../src/contract/objectParameters.js';
import { isExploded } from '../../../../src/contract/parameters.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** A value as a request writes it, by the style of its parameter: names and texts, not encoded. */
export const parameterTexts = (parameter: Parameter, value: unknown): [name: string, text: string][] => {
  const { name, style = '', content } = parameter;
  if (content) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value))
    return isExploded(parameter)
      ? value.map((item) => [name, textOf(item)])
      : [[name, value.map(textOf).join(separators[style] ?? ',')]];
  if (!isObject(value)) return [[name, textOf(value)]];
  const fields = Object.entries(value).flatMap(([field, inside]) =>
    [inside].flat().map((one): [string, string] => [field, textOf(one)]),
  );
  switch (objectFormOf(parameter)) {
    case 'bracketed':
      return fields.map(([field, text]) => [`${name}[${field}]`, text]);
    case 'own parameters':
      return fields;
    case 'assigned':
      return [[name, fields.map((pair) => pair.join('=')).join(',')]];
    case 'alternating':
      return [[name, fields.flat().join(',')]];
    default:
      return [[name, textOf(value)]];
  }
};
