// V8 counts what runs, which costs little: counters in the code, as jest adds them, slow down all of it.
import { Session } from 'node:inspector';

/** Whose lines are counted. */
const countedFolders = ['src', 'handlers'].map(
  (folder) => new URL(`../../../${folder}/`, import.meta.url).href,
);

const isCounted = (url) => url.endsWith('.ts') && countedFolders.some((folder) => url.startsWith(folder));

/** Counts from now on, in this process. Returns a function that says how often each part of a source ran. */
export const startCounting = () => {
  const session = new Session();
  session.connect();
  // The answers come before `post` returns.
  const ask = (method, params) => {
    let answer;
    session.post(method, params, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  };
  ask('Profiler.enable');
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () =>
    ask('Profiler.takePreciseCoverage').result.flatMap(({ url, functions }) =>
      isCounted(url) ? [{ url, ranges: functions.flatMap(({ ranges }) => ranges) }] : [],
    );
};
