import { inspect, types } from 'node:util';

/**
 * What a secret looks like, and its replacement. Some headers are secret to the end of their line, and a
 * value whose quotes are never closed is secret to the end of the text. Untrusted text ends up here, so every
 * pattern must run in linear time: names are matched from their beginning only.
 */
const secretPatterns: [RegExp, string][] = [
  // Keys with a short name in front.
  [/\b([a-z]{2,5}_)[0-9a-f]{8,}/gi, '$1…'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*)*/g, '…'],
  [/\b((?:(?:set-)?cookie|(?:proxy-)?authorization)\s*[:=]\s*)\S.*/gi, '$1…'],
  [/\b(bearer|basic|accesstoken=)\s*[^\s,;"']+/gi, '$1 …'],
  // Our own texts show the form of an address: postgres://USER@HOST/DATABASE.
  [/\/\/(?!USER(?::PASSWORD)?@[^\s/@]*(?:[\s/]|$))[^\s/]*@/g, '//…@'],
  [
    /(?<![\w-])((?=[\w-]*(?:api[-_]?key|csrf|authorization|pass|pwd|secret|token|session|unifises))[\w-]+[\\"']*\s*[:=]\s*)(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)|\\"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s,;&}]+)/gi,
    '$1…',
  ],
];

/** Not every library throws an `Error`. */
const messageOf = (error: unknown): string => {
  if (types.isNativeError(error)) return error.message;
  if (typeof error === 'string') return error;
  const isObject = typeof error === 'object' && error !== null;
  if (isObject && 'message' in error && typeof error.message === 'string') return error.message;
  return inspect(error, { depth: 1 });
};

/** Longer than any real message. The rest is cut off unread. */
const maxPublicTextLength = 4096;

/** Cut at white space: a pattern might not recognise half a secret. */
const shorten = (text: string): string => {
  if (text.length <= maxPublicTextLength) return text;
  const words = /^[^]*\s/.exec(text.slice(0, maxPublicTextLength))?.[0] ?? '';
  return `${words}…`;
};

/**
 * The text of an exception as a client may read it, without anything that looks like a credential, a cookie,
 * a token or a URL with user information. Errors of a database come without their statement: see
 * `hideStatements`.
 */
export const publicText = (error: unknown): string => {
  return secretPatterns.reduce(
    (text, [pattern, instead]) => text.replace(pattern, instead),
    shorten(messageOf(error)),
  );
};
