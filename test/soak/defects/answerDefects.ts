import type { ServiceDefect } from './serviceDefect.js';

/** In statuses, headers and paths. */
export const answerDefects: readonly ServiceDefect[] = [
  {
    name: 'refused requests lack the RateLimit headers',
    file: 'src/http/serveOperation.ts',
    from: 'if (rateLimit) {',
    to: 'if (rateLimit?.accepted) {',
  },
  {
    name: 'the ETag is always the same',
    file: 'src/lib/cachedBody.ts',
    from: '.update(bytes)',
    to: `.update('')`,
  },
  {
    name: 'lists may be kept by anybody',
    file: 'src/http/serveOperation.ts',
    from: `'private, no-cache'`,
    to: `'public, max-age=60'`,
  },
  {
    name: 'the braces in messages are not filled',
    file: 'src/lib/textTemplate.ts',
    from: 'Object.hasOwn(values, word) ? (values[word] ?? braces) : braces',
    to: `Object.hasOwn(values, word) && word === 'message' ? (values[word] ?? braces) : braces`,
  },
];
