import type { ServiceDefect } from './serviceDefect.js';

/** In what HTTP, credentials, limits and the description say. */
export const protocolDefects: readonly ServiceDefect[] = [
  {
    name: 'Authorization needs no scheme',
    file: 'src/contract/runtime/authentication.ts',
    from: '/^bearer +(\\S+)$/i',
    to: '/^(?:bearer +)?(\\S+)$/i',
  },
  {
    name: 'of the keys with one prefix only the first is compared',
    file: 'src/apiKeys/apiKeys.ts',
    from: 'byPrefix.get(prefix) ?? []) {',
    to: '(byPrefix.get(prefix) ?? []).slice(0, 1)) {',
  },
  {
    name: 'a key in capital letters is accepted',
    file: 'src/apiKeys/apiKeys.ts',
    from: 'find: (text) => {',
    to: 'find: (sent) => {\n      const text = sent.toLowerCase();',
  },
  {
    name: 'RateLimit-Remaining is one too high',
    file: 'src/apiKeys/rateLimiter.ts',
    from: 'Math.max(0, limit - points)',
    to: 'Math.min(limit, Math.max(0, limit - points + 1))',
  },
  {
    name: '403 names the scope that the key has',
    file: 'src/contract/runtime/operations.ts',
    from: "throw new HttpProblem('forbidden', { scope });",
    to: "throw new HttpProblem('forbidden', { scope: scope === 'write' ? 'read' : scope });",
  },
  {
    name: '405 has a message',
    file: 'src/http/serveOperation.ts',
    from: "{ code: 'method_not_allowed', target }",
    to: "{ code: 'method_not_allowed', message: 'Methode nicht erlaubt', target }",
  },
  {
    name: 'an unknown path is answered with another code',
    file: 'src/pages/expressApp.ts',
    from: "sendError(res, 404, { code: 'not_found',",
    to: "sendError(res, 404, { code: 'unknown_path',",
  },
  {
    name: 'of several ETags only the first counts',
    file: 'src/http/response.ts',
    from: "known.split(',').some(",
    to: "known.split(',').slice(0, 1).some(",
  },
  {
    name: '304 lacks the ETag',
    file: 'src/http/serveOperation.ts',
    from: '{ status: 304, headers: flat }',
    to: "{ status: 304, headers: flat.filter((text) => text !== 'ETag' && text !== body.etag) }",
  },
  {
    name: '429 does not say its charset',
    file: 'src/http/response.ts',
    from: "headers.push('Content-Type', contentType)",
    to: "headers.push('Content-Type', status === 429 ? 'application/json' : contentType)",
  },
  {
    name: 'the description is not served to HEAD',
    file: 'src/http/servedDescription.ts',
    from: "req.method !== 'GET' && req.method !== 'HEAD'",
    to: "req.method !== 'GET'",
  },
  {
    name: 'the address in the description lacks the port',
    file: 'src/contract/description.ts',
    from: 'servers: [{ url }]',
    to: "servers: [{ url: url.replace(/:\\d+(?=\\/|$)/, '') }]",
  },
  {
    name: 'the description demands both credentials',
    file: 'src/contract/description.ts',
    from: '    security,\n',
    to: '    security: [Object.assign({}, ...(security as object[])) as object],\n',
  },
  {
    name: '503 does not say when to try again',
    file: 'src/errors/httpProblem.ts',
    from: "{ 'Retry-After': '1' }, cause);",
    to: '{}, cause);',
  },
  {
    name: 'a site that becomes inactive stays listed',
    file: 'src/controllers/siteDirectory.ts',
    from: "list: () => andThen(current('sites'), ({ list }) => list),",
    to: `list: (() => {
      let known: CachedBody<SiteList> | undefined;
      return () => known ?? andThen(current('sites'), ({ list }) => (known = list));
    })(),`,
  },
];
