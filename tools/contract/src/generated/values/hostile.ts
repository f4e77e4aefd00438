/** Texts that have hurt services before: what trims, stores, shows, counts or looks them up may get them wrong. */
export const hostileTexts: readonly string[] = [
  "'; DROP TABLE vouchers; --",
  '" OR ""="',
  '\0',
  'a\0b',
  '\u202eabc\u202c',
  '\u05d0\u05d1\u05d2',
  '😀',
  '👩‍👩‍👧',
  '\ud800',
  'x\udfff',
  '\ufeffx',
  'e\u0301',
  '\u2028',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}{scope}%s%n',
  'line\r\nX-Injected: 1',
  '\u001b[31m',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '\\u0000',
];

/** Names of fields that nobody knows, some of which every object of JavaScript has. */
export const hostileNames: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'x',
  '$where',
];

/** 64 KiB, which is a whole body for some services. */
export const largeText = 'x'.repeat(65_536);

/** Can a client send this as the value of a header? Only visible characters of one byte, blanks and tabs. */
export const fitsHeader = (text: string): boolean =>
  /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.length <= 4096;

/** Longer ones do not fit the head of a request, which is refused before anybody looks for an operation. */
export const fitsQuery = (text: string): boolean => encodeURIComponent(text.toWellFormed()).length <= 4096;
