// Loaded by `node --import` before the built program. After every answer it sends the parent process which functions
// were called since that request arrived.
import { subscribe } from 'node:diagnostics_channel';
import { Session } from 'node:inspector';

const session = new Session();
session.connect();

/** A session in the same thread calls back before `post` returns. */
const post = (method, params) => {
  let result;
  session.post(method, params, (error, answer) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    result = answer;
  });
  return result;
};

/** The files of which functions were called since the last time, with the names of these functions. */
const takeCalls = () =>
  post('Profiler.takePreciseCoverage').result.flatMap(({ url, functions }) => {
    const called = functions.filter(({ ranges }) => ranges[0].count > 0);
    return url.startsWith('file:') && called.length > 0
      ? [{ url, functions: called.map(({ functionName }) => functionName) }]
      : [];
  });

// From the first request on no timer fires, so that no interval job runs beside a request. Requests need none.
let areTimersHeld = false;
for (const name of ['setTimeout', 'setInterval']) {
  const start = globalThis[name];
  const startHeld = (callback, ...rest) =>
    start(
      (...args) => {
        if (!areTimersHeld) callback(...args);
      },
      ...rest,
    );
  globalThis[name] = Object.defineProperties(startHeld, Object.getOwnPropertyDescriptors(start));
}

post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
subscribe('http.server.request.start', () => {
  areTimersHeld = true;
  takeCalls();
});
subscribe('http.server.response.finish', ({ response }) => {
  // The requests of a turn of the event loop are logged and counted after their answers.
  setImmediate(() => process.send({ status: response.statusCode, files: takeCalls() }));
});
