/** What a request would like: RFC 7240. */
export type Preferences = ReadonlyMap<string, string>;

const token = "[\\w!#$%&'*+.^`|~-]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const isToken = new RegExp(`^${token}$`);
const one = new RegExp(`^(${token})(?:\\s*=\\s*(${token}|${quoted})?)?$`);

/** The parts of a text between separators that do not stand in quotes. */
const parts = (text: string, separator: string): string[] =>
  (text.match(new RegExp(`(?:[^${separator}"]|${quoted}|")+`, 'g')) ?? []).map((part) => part.trim());

/** The preferences by name. Of several with one name the first counts; their parameters mean nothing to us. */
export const parsePrefer = (header: string | string[] | undefined): Preferences => {
  const preferences = new Map<string, string>();
  for (const part of parts((header ?? '').toString(), ',')) {
    const [, name, value = ''] = one.exec(parts(part, ';')[0] ?? '') ?? [];
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
