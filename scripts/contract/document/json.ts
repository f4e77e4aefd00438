/** A JSON object whose fields have not been looked at yet. */
export type Json = Record<string, unknown>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a value, none when it is no object. */
export const jsonFields = (value: unknown): Json => (isJson(value) ? value : {});

export const jsonList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const jsonText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Appends keys to a JSON pointer: `pointer('/paths', '/sites.php')` is `/paths/~1sites.php`. */
export const pointer = (start: string, ...keys: readonly (string | number)[]): string =>
  start + keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The keys of a JSON pointer, unescaped. */
export const keysOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
