import type { ServiceDefect } from './serviceDefect.js';

/** In how requests are received and answers are sent. */
export const exchangeDefects: readonly ServiceDefect[] = [
  {
    name: 'the X-Request-Id of a client is not kept',
    file: 'src/http/server.ts',
    from: 'requestIdPattern.test(given) ?',
    to: 'requestIdPattern.test(given) && given.length > 64 ?',
  },
  {
    name: 'any X-Request-Id is kept',
    file: 'src/http/server.ts',
    from: '/^[\\w.:-]{1,64}$/',
    to: '/^.{1,6400}$/',
  },
  {
    name: 'a body that is no UTF-8 is read',
    file: 'src/contract/bodyTypes.ts',
    from: 'if (!isUtf8(bytes)) return undefined;',
    to: 'if (!isUtf8(bytes) && bytes.length === 0) return undefined;',
  },
  {
    name: 'X-Forwarded-Host counts from everybody',
    file: 'src/http/client.ts',
    from: 'trusted ? req.headers[name] : undefined',
    to: `trusted || name === 'x-forwarded-host' ? req.headers[name] : undefined`,
  },
  {
    name: 'an invalid Host is reflected',
    file: 'src/http/client.ts',
    from: 'if (!isHost(name))',
    to: `if (!isHost(name) && name === '')`,
  },
  {
    name: 'answers do not say their charset',
    file: 'src/http/response.ts',
    from: `jsonContentType = 'application/json; charset=utf-8'`,
    to: `jsonContentType = 'application/json'`,
  },
  {
    name: 'the largest size of a body is said in bytes',
    file: 'src/http/body.ts',
    from: 'maxBytes % 1024 === 0 ?',
    to: 'maxBytes % 1024 === 1 ?',
  },
  {
    name: 'a method that nobody knows is answered 400',
    file: 'src/http/parserErrors.ts',
    from: 'return { status: 405, headers:',
    to: 'return { status: 400, headers:',
  },
  {
    name: 'repeated slashes make another path',
    file: 'src/http/server.ts',
    from: `path: path.includes('//') ? path.replace(/\\/{2,}/g, '/') : path,`,
    to: 'path,',
  },
];
