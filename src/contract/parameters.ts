import { compileConversion, type Conversion } from './conversion.js';
import { isObject, mergeAllOf, type Parameter, type ParameterLocation, type Schema } from './document.js';
import { compileObjectReader, compileObjectText, valueSchema, withLists } from './objectParameters.js';
import { defaultStyles } from './parameterStyles.js';

/** A parameter that an operation reads, and how. */
export interface ParameterReader {
  /** As the contract writes it. */
  readonly name: string;
  /** Where a request has it: names of headers are lower case there. */
  readonly key: string;
  /** Of an object that is written as several parameters: its fields, among all that were sent. */
  readonly pick?: (sent: Readonly<Record<string, unknown>>) => unknown;
  /** Does a parameter with this name belong to it? */
  readonly owns: (name: string) => boolean;
  /** From what was sent, text or list of texts, to what is validated. */
  readonly read: Conversion;
}

export type ParameterReaders = Readonly<Record<ParameterLocation, readonly ParameterReader[]>>;

/** What stands between the values of a list that is written as one text. */
export const separators: Readonly<Record<string, string>> = {
  simple: ',',
  form: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

/** Is a list written as several parameters of one name, `?id=1&id=2`? */
export const isExploded = ({ in: place, style = defaultStyles[place], explode }: Parameter): boolean =>
  style === 'form' && (explode ?? true);

const compileReader = (parameter: Parameter): ParameterReader => {
  const { name, in: place } = parameter;
  const several = compileObjectReader(parameter);
  return {
    name,
    key: place === 'header' ? name.toLowerCase() : name,
    owns: several?.owns ?? ((given) => given === name),
    ...(several && { pick: several.pick }),
    read: compileRead(parameter),
  };
};

const compileRead = (parameter: Parameter): Conversion => {
  const { in: place, schema } = parameter;
  const convertTexts = compileConversion(schema);
  const isEncoded = place === 'path' || place === 'cookie';
  if (parameter.content) return (sent) => convertTexts(parseJson(isEncoded ? decodeValue(sent) : sent));
  const whole = valueSchema(parameter);
  const parse = compileNumbers(whole);
  const convert: Conversion = parse ? (sent) => parse(convertTexts(sent)) : convertTexts;
  if (whole.type === 'object') {
    const read = compileObjectText(parameter, place === 'path' ? decodeValue : (text) => text);
    const list = withLists(whole);
    if (!read) return (sent) => convert(list(sent));
    const decodeWhole = place === 'cookie' ? decodeValue : (sent: unknown): unknown => sent;
    return (sent) => {
      const text = decodeWhole(sent);
      return convert(typeof text === 'string' ? read(text) : text);
    };
  }
  if (whole.type !== 'array') return isEncoded ? (sent) => convert(decodeValue(sent)) : convert;
  const split = splitList(parameter);
  const read = (sent: unknown): unknown => {
    // Cookies can't hold a comma as it is; in a path an encoded one is part of a value.
    if (place === 'cookie') return split(decodeValue(sent));
    const values = [sent].flat().flatMap(split);
    return place === 'path' ? values.map(decodeValue) : values;
  };
  return (sent) => convert(sent === undefined ? undefined : read(sent));
};

/** What a parameter that has to be JSON and is not counts as. Validation refuses it. */
export const notJson = Symbol('no JSON');

const parseJson = (sent: unknown): unknown => {
  if (sent === undefined) return undefined;
  try {
    return typeof sent === 'string' ? JSON.parse(sent) : notJson;
  } catch {
    return notJson;
  }
};

export const decimals: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i,
};

/**
 * Numbers as JSON writes them, where the contract is not lenient. The validator itself would also take `0x1`,
 * ` 1` and `+1`; it refuses NaN. Undefined where nothing is a number.
 */
const compileNumbers = (written: Schema): Conversion | undefined => {
  const { type = '', items, 'x-lenient': isLenient } = mergeAllOf(written);
  if (type === 'array' && items) {
    const parse = compileNumbers(items);
    return parse && ((value) => (Array.isArray(value) ? value.map(parse) : value));
  }
  if (type === 'object') return compileFieldNumbers(mergeAllOf(written));
  const decimal = isLenient ? undefined : decimals[type];
  return (
    decimal &&
    ((value) => (typeof value !== 'string' ? value : decimal.test(value) ? Number(value) : Number.NaN))
  );
};

const compileFieldNumbers = ({ properties = {}, additionalProperties }: Schema): Conversion => {
  const fields = new Map(Object.entries(properties).map(([name, field]) => [name, compileNumbers(field)]));
  const others = isObject(additionalProperties) ? compileNumbers(additionalProperties) : undefined;
  return (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, field]) => {
            const parse = fields.has(name) ? fields.get(name) : others;
            return [name, parse ? parse(field) : field];
          }),
        )
      : value;
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
 * The cookies of a request; quotes around a value are not part of it. Of several with one name and different
 * values none counts: another host of the same domain may have set one of them, and nothing tells which.
 * `valueOf` gives the value of what was sent, and `undefined` for one that is left out.
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
