/** Fills the braces of a text: `Scope {scope}` with `{scope: 'write'}` is `Scope write`. */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (braces, word: string) =>
    Object.hasOwn(values, word) ? (values[word] ?? braces) : braces,
  );
