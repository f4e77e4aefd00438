/** `/orders/{id}/items`: what stands in a path with parameters. */
export interface PathTemplate {
  /** The names of the parameters. */
  readonly parameters: readonly string[];
  /** The same for templates that match the same paths. */
  readonly shape: string;
  /** Are there several parameters between two slashes? */
  readonly isDivided: boolean;
  /** How much of it is text: of two templates that match a path, the one with more takes precedence. */
  readonly textLength: number;
  matches(path: string): boolean;
  /** What a path that matches has in the places of the parameters, as it was sent. */
  valuesIn(path: string): Record<string, string>;
}

/** What stands between two slashes: parameters, with the texts before, between and after them. */
interface Segment {
  readonly index: number;
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

const parseSegment = (text: string, index: number): Segment[] => {
  if (!/[{}]/.test(text)) return [];
  const names = [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const texts = text.split(/\{[^{}]+\}/);
  if (texts.some((part) => /[{}]/.test(part)))
    throw new Error(`"${text}": a parameter stands in braces, with text around it`);
  if (texts.slice(1, -1).includes(''))
    throw new Error(`"${text}": there must be a text between two parameters`);
  return [{ index, names, texts }];
};

/**
 * Of several ways to divide a text, the one in which the first
 * parameters are longest: `a.tar.gz` is `a.tar` and `gz`.
 */
const divide = ({ names, texts }: Segment, text: string): [name: string, value: string][] | undefined => {
  const [before = '', after = ''] = [texts[0], texts.at(-1)];
  let rest = text.slice(before.length, Math.max(before.length, text.length - after.length));
  if (text !== before + rest + after) return undefined;
  const values: [string, string][] = [];
  for (let last = names.length - 1; last > 0; last -= 1) {
    const between = texts[last] ?? '';
    // No parameter is empty.
    const end = rest.length - between.length - 1;
    const at = end < 0 ? -1 : rest.lastIndexOf(between, end);
    if (at < 0) return undefined;
    values.unshift([names[last] ?? '', rest.slice(at + between.length)]);
    rest = rest.slice(0, at);
  }
  return rest === '' ? undefined : [[names[0] ?? '', rest], ...values];
};

/** Throws with what is wrong with a template. */
export const parsePathTemplate = (path: string): PathTemplate => {
  const written = path.split('/');
  const places = written.flatMap(parseSegment);
  const parameters = places.flatMap(({ names }) => names);
  const repeated = parameters.find((name, index) => parameters.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`{${repeated}} stands in the path twice`);
  return {
    parameters,
    shape: path.replace(/\{[^{}]*\}/g, '{}'),
    isDivided: places.some(({ names }) => names.length > 1),
    textLength: path.replace(/\{[^{}]*\}/g, '').length,
    matches: (sent) => {
      const segments = sent.split('/');
      return (
        segments.length === written.length &&
        segments.every((text, index) => {
          const place = places.find((one) => one.index === index);
          return place ? divide(place, text) !== undefined : text === written[index];
        })
      );
    },
    valuesIn: (sent) => {
      const segments = sent.split('/');
      return Object.fromEntries(places.flatMap((place) => divide(place, segments[place.index] ?? '') ?? []));
    },
  };
};
