import type { ServiceDefect } from './serviceDefect.js';

/** In how requests are received and answers are sent. */
export const exchangeDefects: readonly ServiceDefect[] = [
  {
    name: 'any X-Request-Id is kept',
    file: 'src/http/dispatch.ts',
    from: '/^[\\w.:-]{1,64}$/',
    to: '/^.{1,6400}$/',
  },
  {
    name: 'an invalid Host is reflected',
    file: 'src/http/client.ts',
    from: 'if (!isHost(name))',
    to: `if (!isHost(name) && name === '')`,
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
    file: 'src/http/dispatch.ts',
    from: `path: path.includes('//') ? path.replace(/\\/{2,}/g, '/') : path,`,
    to: 'path,',
  },
];
