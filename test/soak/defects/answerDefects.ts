import type { ServiceDefect } from './serviceDefect.js';

/** In statuses, headers and paths. */
export const answerDefects: readonly ServiceDefect[] = [
  {
    name: 'errors lack X-Request-Id',
    file: 'src/http/serveOperation.ts',
    from: `    headers.push('X-Request-Id', id);`,
    to: `    if (response.status < 400) headers.push('X-Request-Id', id);`,
  },
  {
    name: 'refused requests lack the RateLimit headers',
    file: 'src/http/serveOperation.ts',
    from: 'if (rateLimit) {',
    to: 'if (rateLimit?.accepted) {',
  },
  {
    name: 'Retry-After is in milliseconds',
    file: 'src/contract/runtime/operations.ts',
    from: `{ 'Retry-After': seconds }`,
    to: "{ 'Retry-After': `${seconds}000` }",
  },
  {
    name: 'HEAD is answered as GET',
    file: 'src/http/dispatch.ts',
    from: `const method = (req.method ?? '').toLowerCase();`,
    to: `const method = (req.method ?? '').toLowerCase().replace('head', 'get');`,
  },
  {
    name: 'If-None-Match has no effect',
    file: 'src/http/response.ts',
    from: `known.trim() === '*' || known.split(',').some(`,
    to: `known.trim() === '*' && known.split(',').some(`,
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
    name: 'the Content-Type of answers is text/plain',
    file: 'src/http/response.ts',
    from: `jsonContentType = 'application/json; charset=utf-8'`,
    to: `jsonContentType = 'text/plain; charset=utf-8'`,
  },
  {
    name: 'the braces in messages are not filled',
    file: 'src/lib/textTemplate.ts',
    from: 'Object.hasOwn(values, word) ? (values[word] ?? braces) : braces',
    to: `Object.hasOwn(values, word) && word === 'message' ? (values[word] ?? braces) : braces`,
  },
];
