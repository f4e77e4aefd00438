/**
 * By object or list: the same with every number as the text that was sent. Only where a number has lost
 * something.
 */
const numberTexts = new WeakMap<object, object>();

/**
 * Texts and numbers of valid JSON. No two adjacent parts match the same characters, so it runs in linear
 * time.
 */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/**
 * Parses JSON as `JSON.parse` does, and remembers the numbers that are written otherwise than JavaScript
 * would write them, such as `1.0`, `1e400` or one of twenty digits. Node 20 does not tell them.
 */
export const parseJsonBody = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  if (!isContainer(value) || !hasOtherNumbers(text)) return value;
  const quoted = text.replace(textOrNumber, (part) => (isQuoted(part) ? part : `"${part}"`));
  remember(value, JSON.parse(quoted) as object);
  return value;
};

/**
 * The number that an object or list of `parseJsonBody` has there, as it was sent; undefined if that is no
 * number.
 */
export const numberTextAt = (holder: object, key: string | number): string | undefined => {
  const value: unknown = ownValue(holder, key);
  if (typeof value !== 'number') return undefined;
  const texts = numberTexts.get(holder);
  return texts ? String(ownValue(texts, key)) : String(value);
};

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isQuoted = (part: string): boolean => part.startsWith('"');

const hasOtherNumbers = (text: string): boolean => {
  for (const [part] of text.matchAll(textOrNumber))
    if (!isQuoted(part) && String(Number(part)) !== part) return true;
  return false;
};

const ownValue = (holder: object, key: string | number): unknown =>
  Object.hasOwn(holder, key) ? (holder as Record<string | number, unknown>)[key] : undefined;

/** Without recursion: a body may be nested deeper than the stack is. */
const remember = (value: object, texts: object): void => {
  const pairs: [object, object][] = [[value, texts]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [holder, parallel] = pair;
    numberTexts.set(holder, parallel);
    for (const key of Object.keys(holder)) {
      const [inner, innerTexts] = [ownValue(holder, key), ownValue(parallel, key)];
      if (isContainer(inner) && isContainer(innerTexts)) pairs.push([inner, innerTexts]);
    }
  }
};
