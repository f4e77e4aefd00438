// Runs one test file after the other in this process, with the test framework that jest itself uses.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { startCounting } from './counting.mjs';
import { sharedEnds } from './sharedEnds.mjs';
import { measureProcessorTime } from '../../../scripts/tasks/processorTime.mjs';

// Without jest nobody would read the results: a test that waits would wait for ever.
process.on('disconnect', () => process.exit(1));

// `expect.assertions` and `expect.hasAssertions` are judged when a test is done.
addEventHandler((event) => {
  if (event.name !== 'test_done') return;
  for (const { error } of jestExpect.extractExpectedAssertionsErrors()) event.test.errors.push(error);
});

const statusOf = ({ status, errors }) => {
  if (status === 'done') return errors.length > 0 ? 'failed' : 'passed';
  return status === 'skip' ? 'pending' : status;
};

/** The result of a test as jest's reporters want it. */
const toAssertionResult = (result) => {
  // The first part of a path is the block of the file itself.
  const [, ...titles] = result.testPath;
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    status: statusOf(result),
    duration: result.duration,
    failureDetails: result.errorsDetailed,
    failureMessages: result.errors,
    invocations: result.invocations,
    location: null,
    numPassingAsserts: 0,
  };
};

/** How often each part of our sources ran in this process. Counted from here on, before any of them is loaded. */
export const readCounts = process.env.COVERAGE ? startCounting() : () => [];

/** What this process and all that it starts take, Chromium's tabs included. */
const meter = measureProcessorTime();

/** Ends what files that ran in this process share. */
export const endShared = async () => {
  for (const end of sharedEnds.splice(0)) await end();
};

export const runFile = async (path, { rootDir, testTimeout, testNamePattern }) => {
  const start = Date.now();
  resetState();
  getState().testTimeout = testTimeout;
  getState().testNamePattern = testNamePattern ? new RegExp(testNamePattern, 'i') : null;
  jestExpect.setState({ testPath: path, currentTestName: undefined, suppressedErrors: [] });
  // A file that can't be loaded is thrown, and shown by jest.
  await import(pathToFileURL(path).href);
  // Whatever modules it needs, other files need them, too: the first one does not pay for all.
  const before = meter.read();
  const { testResults, unhandledErrors } = await run();
  // An unhandled rejection of the last test ends this process before its result is sent.
  await nextTurn();
  const results = testResults.map(toAssertionResult);
  const failure = unhandledErrors.length > 0 ? new Error(unhandledErrors.join('\n\n')) : undefined;
  const end = Date.now();
  const count = (status) => results.filter((result) => result.status === status).length;
  const show = [{ rootDir, testMatch: [] }, { noStackTrace: false }, path];
  return {
    testFilePath: path,
    testResults: results,
    testExecError: failure && { message: failure.message, stack: failure.stack },
    failureMessage:
      [failure && formatExecError(failure, ...show), formatResultsErrors(results, ...show)]
        .filter(Boolean)
        .join('\n') || null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    processorSeconds: meter.read() - before,
    perfStats: { start, end, runtime: end - start, slow: end - start > 5000 },
    snapshot: { added: 0, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
    openHandles: [],
    leaks: false,
    skipped: false,
  };
};
