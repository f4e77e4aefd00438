import type { ServiceDefect } from './serviceDefect.js';

/** In where keys are found, and in what their owners are told of limits. */
export const credentialDefects: readonly ServiceDefect[] = [
  {
    name: 'a bad Authorization hides a good X-API-Key',
    file: 'src/contract/runtime/authentication.ts',
    from: '=> singleHeader(headers[lowerCase]);',
    to: `=>
      headers['authorization'] === undefined ? singleHeader(headers[lowerCase]) : undefined;`,
  },
  {
    name: 'a bad X-API-Key hides a good Authorization',
    file: 'src/contract/runtime/authentication.ts',
    from: 'return ({ headers }) => /^bearer +(\\S+)$/i.exec(',
    to: `return ({ headers }) =>
      headers['x-api-key'] !== undefined ? undefined : /^bearer +(\\S+)$/i.exec(`,
  },
  {
    name: 'a key is also taken from a cookie',
    file: 'src/contract/runtime/authentication.ts',
    from: '=> singleHeader(headers[lowerCase]);',
    to: `=>
      singleHeader(headers[lowerCase]) ?? /(?:^|; )api_key=([^;]+)/.exec(String(headers['cookie']))?.[1];`,
  },
  {
    name: 'RateLimit-Reset is always a minute',
    file: 'src/apiKeys/rateLimiter.ts',
    from: 'Math.min(Math.max(1, Math.ceil(leftMs / 1000)), windowMs / 1000)',
    to: 'Math.max(Math.ceil(leftMs / 1000), windowMs / 1000)',
  },
  {
    name: 'every request begins the window anew',
    file: 'src/rateLimit/windowCounter.ts',
    from: 'window.points += 1;',
    to: `window = { end: now + windowMs, points: window.points + 1 };
      windows.set(key, window);`,
  },
  {
    name: 'Retry-After of 429 is always a minute',
    file: 'src/contract/runtime/operations.ts',
    from: `{ 'Retry-After': seconds }`,
    to: `{ 'Retry-After': '60' }`,
  },
  {
    name: 'RateLimit-Limit is never below 60',
    file: 'src/http/serveOperation.ts',
    from: 'String(rateLimit.limit)',
    to: 'String(Math.max(60, rateLimit.limit))',
  },
  {
    name: 'a wrong method is not counted by the limit',
    file: 'src/contract/runtime/operations.ts',
    from: `    await countRequest(request);
    throw new MethodNotAllowed();`,
    to: '    throw new MethodNotAllowed();',
  },
  {
    name: 'a wrong method needs no key',
    file: 'src/contract/runtime/operations.ts',
    from: 'await authenticateInTurn(request);',
    to: 'await authenticateInTurn(request).catch(() => undefined);',
  },
];
