/**
 * The Integration API's filter language: `and(name.eq('Anna''s'), authorizedGuestCount.gt(0))`. A filter is parsed once
 * and then applied to every item.
 */
export type Filter<T> = (item: T) => boolean;

/** The type of a property and the functions it supports. */
export interface Property<T> {
  readonly type: 'string' | 'integer' | 'timestamp' | 'boolean' | 'uuid';
  readonly functions: readonly FilterFunction[];
  /** Timestamps as milliseconds. */
  value(item: T): string | number | boolean | undefined;
}

export type FilterFunction =
  | 'eq'
  | 'ne'
  | 'gt'
  | 'ge'
  | 'lt'
  | 'le'
  | 'like'
  | 'in'
  | 'notIn'
  | 'isNull'
  | 'isNotNull';

/** A filter that cannot be parsed, and why. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

type Literal = string | number | boolean;

export const parseFilter = <T>(
  text: string,
  properties: Readonly<Record<string, Property<T>>>,
): Filter<T> => {
  let at = 0;

  const fail = (what: string): never => {
    throw new FilterError(`${what} at position ${at}`);
  };
  const skip = (): void => {
    while (text[at] === ' ') at += 1;
  };
  /** Consumes the match of a sticky pattern at the current position. */
  const take = (pattern: RegExp): string | undefined => {
    skip();
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const expect = (symbol: string): void => {
    skip();
    if (text[at] !== symbol) fail(`'${symbol}' expected`);
    at += 1;
  };
  const separated = <V>(one: () => V): V[] => {
    const values = [one()];
    while (take(/,/y) !== undefined) values.push(one());
    return values;
  };

  const literal = (type: Property<T>['type']): Literal => {
    if (type === 'string') {
      const quoted = take(/'(?:[^']|'')*'/y) ?? fail('a string in single quotes expected');
      return quoted.slice(1, -1).replaceAll("''", "'");
    }
    const bare = take(/[^(),\s']+/y) ?? fail(`a value of type ${type} expected`);
    return readBare(bare, type) ?? fail(`'${bare}' is no ${type}`);
  };

  const expression = (): Filter<T> => {
    const name = take(/[A-Za-z]+/y) ?? fail('a property or a function expected');
    if (name === 'and' || name === 'or' || name === 'not') {
      expect('(');
      const parts = name === 'not' ? [expression()] : separated(expression);
      expect(')');
      if (name === 'and') return (item) => parts.every((part) => part(item));
      if (name === 'or') return (item) => parts.some((part) => part(item));
      return (item) => !parts.some((part) => part(item));
    }
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) return fail(`the property '${name}' can not be filtered`);
    expect('.');
    const called = take(/[A-Za-z]+/y) ?? fail('a function expected');
    const fn = property.functions.find((known) => known === called);
    if (fn === undefined) return fail(`'${name}' has no function '${called}'`);
    expect('(');
    const unary = fn === 'isNull' || fn === 'isNotNull';
    const values = unary ? [] : separated(() => literal(property.type));
    if (values.length > 1 && fn !== 'in' && fn !== 'notIn') fail(`'${called}' takes one value`);
    expect(')');
    const holds = comparison(fn, values);
    return (item) => holds(property.value(item));
  };

  const whole = expression();
  skip();
  if (at < text.length) fail('nothing more expected');
  return whole;
};

const readBare = (bare: string, type: Property<unknown>['type']): Literal | undefined => {
  switch (type) {
    case 'integer':
      return /^-?\d+(\.\d+)?$/.test(bare) ? Number(bare) : undefined;
    case 'boolean':
      return bare === 'true' || bare === 'false' ? bare === 'true' : undefined;
    case 'uuid':
      return uuidPattern.test(bare) ? bare.toLowerCase() : undefined;
    case 'timestamp': {
      const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(bare)
        ? utc(bare)
        : NaN;
      return Number.isNaN(time) ? undefined : time;
    }
    case 'string':
      return undefined;
  }
};

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A time without a zone is UTC. */
const utc = (text: string): number =>
  Date.parse(text.length > 10 && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text);

const comparison = (
  fn: FilterFunction,
  values: readonly Literal[],
): ((value: Literal | undefined) => boolean) => {
  if (fn === 'isNull') return (value) => value === undefined;
  if (fn === 'isNotNull') return (value) => value !== undefined;
  if (fn === 'in') return (value) => value !== undefined && values.includes(value);
  if (fn === 'notIn') return (value) => value === undefined || !values.includes(value);
  const [wanted] = values;
  if (wanted === undefined) throw new FilterError(`'${fn}' takes one value`);
  if (fn === 'eq') return (value) => value === wanted;
  if (fn === 'ne') return (value) => value !== wanted;
  if (fn === 'like') {
    const pattern = likePattern(String(wanted));
    return (value) => typeof value === 'string' && isLike(Array.from(value), pattern);
  }
  const compare = { gt: isGreater, ge: isAtLeast, lt: isLess, le: isAtMost }[fn];
  return (value) => value !== undefined && compare(value, wanted);
};

const isGreater = (left: Literal, right: Literal): boolean => left > right;
const isAtLeast = (left: Literal, right: Literal): boolean => left >= right;
const isLess = (left: Literal, right: Literal): boolean => left < right;
const isAtMost = (left: Literal, right: Literal): boolean => left <= right;

const anyCharacter = Symbol('.');
const anyRun = Symbol('*');

type LikePattern = readonly (string | typeof anyCharacter | typeof anyRun)[];

/** `.` is any character, `*` any run of them, and a backslash escapes either. */
const likePattern = (text: string): LikePattern =>
  Array.from(text.matchAll(/\\([\\.*])|[^]/gu), ([part, escaped]) => {
    if (escaped !== undefined) return escaped;
    if (part === '.') return anyCharacter;
    return part === '*' ? anyRun : part;
  });

/** Backtracks only into the last `*`, so a pattern with many of them is as fast as one with two. */
const isLike = (characters: readonly string[], pattern: LikePattern): boolean => {
  let [at, next] = [0, 0];
  let run: { readonly next: number; end: number } | undefined;
  while (at < characters.length) {
    const wanted = pattern[next];
    if (wanted === anyRun) {
      next += 1;
      run = { next, end: at };
    } else if (wanted === anyCharacter || wanted === characters[at]) {
      [at, next] = [at + 1, next + 1];
    } else if (run) {
      run.end += 1;
      [at, next] = [run.end, run.next];
    } else return false;
  }
  return pattern.slice(next).every((wanted) => wanted === anyRun);
};
