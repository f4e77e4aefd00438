import { compileConversion, type Conversion } from './conversion.js';
import { mergeAllOf, type Parameter, type ParameterLocation, type Schema } from './document.js';

/** A parameter that an operation reads, and how. */
export interface ParameterReader {
  /** As the contract writes it. */
  readonly name: string;
  /** Where a request has it: names of headers are lower case there. */
  readonly key: string;
  /** From what was sent, text or list of texts, to what is validated. */
  readonly read: Conversion;
}

export type ParameterReaders = Readonly<Record<ParameterLocation, readonly ParameterReader[]>>;

/** How a parameter is written where the contract does not say it. */
const defaultStyles: Readonly<Record<ParameterLocation, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

/** What stands between the values of a list that is written as one text. */
const separators: Readonly<Record<string, string>> = {
  simple: ',',
  form: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

/** The styles that each place may have, the default first. */
export const parameterStyles: Readonly<Record<ParameterLocation, readonly string[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited'],
  header: ['simple'],
  cookie: ['form'],
};

/** Is a list written as several parameters of one name, `?id=1&id=2`? */
export const isExploded = ({ in: place, style = defaultStyles[place], explode }: Parameter): boolean =>
  style === 'form' && (explode ?? true);

const compileReader = (parameter: Parameter): ParameterReader => {
  const { name, in: place, schema } = parameter;
  const key = place === 'header' ? name.toLowerCase() : name;
  const convertTexts = compileConversion(schema);
  const parse = compileNumbers(schema);
  const convert: Conversion = parse ? (sent) => parse(convertTexts(sent)) : convertTexts;
  const isList = mergeAllOf(schema).type === 'array';
  const isEncoded = place === 'path' || place === 'cookie';
  if (!isList && !isEncoded) return { name, key, read: convert };
  if (!isList) return { name, key, read: (sent) => convert(decodeValue(sent)) };
  const split = splitList(parameter);
  const read = (sent: unknown): unknown => {
    // Cookies can't hold a comma as it is; in a path an encoded one is part of a value.
    if (place === 'cookie') return split(decodeValue(sent));
    const values = [sent].flat().flatMap(split);
    return place === 'path' ? values.map(decodeValue) : values;
  };
  return { name, key, read: (sent) => convert(sent === undefined ? undefined : read(sent)) };
};

const decimals: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i,
};

/**
 * Numbers as JSON writes them, where the contract is not lenient. The validator itself would also take `0x1`, ` 1` and
 * `+1`; it refuses NaN. Undefined where nothing is a number.
 */
const compileNumbers = (written: Schema): Conversion | undefined => {
  const { type = '', items, 'x-lenient': isLenient } = mergeAllOf(written);
  if (type === 'array' && items) {
    const parse = compileNumbers(items);
    return parse && ((value) => (Array.isArray(value) ? value.map(parse) : value));
  }
  const decimal = isLenient ? undefined : decimals[type];
  return (
    decimal &&
    ((value) => (typeof value !== 'string' ? value : decimal.test(value) ? Number(value) : Number.NaN))
  );
};

const splitList = (parameter: Parameter): ((value: unknown) => string[]) => {
  if (isExploded(parameter)) return (value) => [value as string];
  const { in: place, style = defaultStyles[place] } = parameter;
  const separator = separators[style] ?? ',';
  const split = (value: unknown): string[] =>
    value === '' || value === undefined ? [] : (value as string).split(separator);
  return place === 'header' ? (value) => split(value).map((text) => text.trim()) : split;
};

/** A text that is no percent-encoding counts as absent. */
const decodeValue = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

export const compileParameters = (parameters: readonly Parameter[]): ParameterReaders => {
  const readersIn = (place: ParameterLocation): ParameterReader[] =>
    parameters.filter((parameter) => parameter.in === place).map(compileReader);
  return {
    path: readersIn('path'),
    query: readersIn('query'),
    header: readersIn('header'),
    cookie: readersIn('cookie'),
  };
};

/**
 * The cookies of a request; quotes around a value are not part of it. Of several with one name and different values none
 * counts: another host of the same domain may have set one of them, and nothing tells which. `valueOf` gives the value of
 * what was sent, and `undefined` for one that is left out.
 */
export const parseCookies = (
  header: string | undefined,
  valueOf: (sent: string) => string | undefined = (sent) => sent,
): Record<string, string | undefined> => {
  const cookies = Object.create(null) as Record<string, string | undefined>;
  const ambiguous: string[] = [];
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    const text = pair.slice(equals + 1).trim();
    const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
    const value = valueOf(isQuoted ? text.slice(1, -1) : text);
    if (value === undefined) continue;
    if ((cookies[name] ??= value) !== value) ambiguous.push(name);
  }
  for (const name of ambiguous) cookies[name] = undefined;
  return cookies;
};
