/** `/orders/{id}/items`: what stands in a path with parameters. */
export interface PathTemplate {
  /** The names of the parameters. */
  readonly parameters: readonly string[];
  /** The same for templates that match the same paths. */
  readonly shape: string;
  /** What a path that matches has in the places of the parameters, as it was sent. */
  valuesIn(path: string): Record<string, string>;
}

/** Where a parameter stands: between which slashes, and how much text is around it. */
interface ParameterPlace {
  readonly name: string;
  readonly segment: number;
  readonly before: number;
  readonly after: number;
}

const segmentPattern = /^([^{}]*)\{([^{}/]+)\}([^{}]*)$/;

/** Throws with what is wrong with a template. */
export const parsePathTemplate = (path: string): PathTemplate => {
  const places = path.split('/').flatMap((text, segment): ParameterPlace[] => {
    if (!/[{}]/.test(text)) return [];
    const [, before = '', name, after = ''] = segmentPattern.exec(text) ?? [];
    if (name === undefined)
      throw new Error(
        `"${text}": between two slashes may stand one parameter in braces, with text around it`,
      );
    return [{ name, segment, before: before.length, after: after.length }];
  });
  const parameters = places.map(({ name }) => name);
  const repeated = parameters.find((name, index) => parameters.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`{${repeated}} stands in the path twice`);
  return {
    parameters,
    shape: path.replace(/\{[^{}]*\}/g, '{}'),
    valuesIn: (sent) => {
      const segments = sent.split('/');
      return Object.fromEntries(
        places.map(({ name, segment, before, after }) => {
          const text = segments[segment] ?? '';
          return [name, text.slice(before, text.length - after)];
        }),
      );
    },
  };
};
