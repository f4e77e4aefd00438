/** One part of a path between slashes: a text, or a parameter with the texts around it. */
interface Segment {
  readonly before: string;
  /** `undefined` for a part that is only text. */
  readonly parameter: string | undefined;
  readonly after: string;
}

/** `/sites/{id}/vouchers`, ready to be compared with the path of a request. */
export interface PathTemplate {
  readonly parameters: readonly string[];
  /** The same for templates that match the same paths. */
  readonly shape: string;
  readonly segments: readonly Segment[];
}

const segmentPattern = /^([^{}]*)\{([^{}/]+)\}([^{}]*)$/;

/** Throws with what is wrong with a template. */
export const parsePathTemplate = (path: string): PathTemplate => {
  const segments = path.split('/').map((text): Segment => {
    if (!/[{}]/.test(text)) return { before: text, parameter: undefined, after: '' };
    const [, before = '', parameter, after = ''] = segmentPattern.exec(text) ?? [];
    if (parameter === undefined)
      throw new Error(
        `"${text}": between two slashes may stand one parameter in braces, with text around it`,
      );
    return { before, parameter, after };
  });
  const parameters = segments.flatMap(({ parameter }) => parameter ?? []);
  const repeated = parameters.find((name, index) => parameters.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`{${repeated}} stands in the path twice`);
  return {
    parameters,
    shape: path.replace(/\{[^{}]*\}/g, '{}'),
    segments,
  };
};

/** What a path has in the places of the parameters, as it was sent. `undefined` when it does not match. */
export const matchPath = (
  { segments }: PathTemplate,
  parts: readonly string[],
): Record<string, string> | undefined => {
  if (parts.length !== segments.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, { before, parameter, after }] of segments.entries()) {
    const part = parts[index] ?? '';
    if (parameter === undefined) {
      if (part !== before) return undefined;
      continue;
    }
    const end = part.length - after.length;
    // A parameter is never empty: `/sites/` is not `/sites/{id}`.
    if (end <= before.length || !part.startsWith(before) || !part.endsWith(after)) return undefined;
    found[parameter] = part.slice(before.length, end);
  }
  return found;
};

/** Text comes before parameters, from left to right: `/sites/new` before `/sites/{id}`. */
export const compareTemplates = (one: PathTemplate, other: PathTemplate): number => {
  const length = Math.min(one.segments.length, other.segments.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [weightOf(one.segments[index]), weightOf(other.segments[index])];
    if (left !== right) return right - left;
  }
  return 0;
};

/** More text around a parameter is more definite; no parameter is the most. */
const weightOf = (segment: Segment | undefined): number =>
  segment?.parameter === undefined ? Infinity : segment.before.length + segment.after.length;
