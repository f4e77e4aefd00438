import type { ServiceDefect } from './serviceDefect.js';

/** In where keys are found, and in what their owners are told of limits. */
export const credentialDefects: readonly ServiceDefect[] = [
  {
    name: 'a key is also taken from a cookie',
    file: 'src/contract/runtime/authentication.ts',
    from: '=> singleHeader(headers[lowerCase]);',
    to: `=>
      singleHeader(headers[lowerCase]) ?? /(?:^|; )api_key=([^;]+)/.exec(String(headers['cookie']))?.[1];`,
  },
  {
    name: 'every request begins the window anew',
    file: 'src/rateLimit/windowCounter.ts',
    from: 'window.points += 1;',
    to: `window = { end: now + windowMs, points: window.points + 1 };
      windows.set(key, window);`,
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
