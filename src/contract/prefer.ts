/** What a request would like: RFC 7240. */
export type Preferences = ReadonlyMap<string, string>;

// Written out, not put together, so that the linter sees whether one of them could take long for a hostile header.
const isToken = /^[\w!#$%&'*+.^`|~-]+$/;
const one = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")?)?$/;
// A quote that is never closed goes on to the end.
const betweenCommas = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;
const betweenSemicolons = /(?:[^;"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;

/** The parts of a text between separators that do not stand in quotes. */
const parts = (text: string, part: RegExp): string[] => (text.match(part) ?? []).map((found) => found.trim());

/** The preferences by name. Of several with one name the first counts; their parameters mean nothing to us. */
export const parsePrefer = (header: string | string[] | undefined): Preferences => {
  const preferences = new Map<string, string>();
  for (const part of parts((header ?? '').toString(), betweenCommas)) {
    const [, name, value = ''] = one.exec(parts(part, betweenSemicolons)[0] ?? '') ?? [];
    if (name !== undefined && !preferences.has(name.toLowerCase()))
      preferences.set(name.toLowerCase(), unquoted(value));
  }
  return preferences;
};

const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;

/** What `Preference-Applied` says of preferences that were met. */
export const appliedPreferences = (applied: readonly (readonly [name: string, value: string])[]): string =>
  applied
    .map(([name, value]) => `${name}=${isToken.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`)
    .join(', ');
