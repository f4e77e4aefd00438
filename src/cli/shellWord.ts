import { plain } from './io.js';

/** A text as one word of a command line that a person may copy: a name may hold quotes, and a site's anything. */
export const shellWord = (text: string): string => {
  const shown = plain(text);
  if (/^[\w.:/-]+$/.test(shown)) return shown;
  return quoted(shown);
};

/** The same, always in quotes: a name reads better in them. */
export const quoted = (text: string): string => {
  const shown = plain(text);
  return /["$`\\!]/.test(shown) ? `'${shown.replaceAll("'", "'\\''")}'` : `"${shown}"`;
};
