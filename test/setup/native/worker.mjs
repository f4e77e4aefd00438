// Runs one test file after the other in this process, with jest's own test framework.
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';

const noStackTraces = { noStackTrace: false };

/** A test's result as jest's reporters want it. The first part of a path is the file's own block. */
const toAssertionResult = ({ testPath, status, duration, errors, errorsDetailed, invocations }) => {
  const [, ...titles] = testPath;
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    status: status === 'done' ? (errors.length > 0 ? 'failed' : 'passed') : status === 'skip' ? 'pending' : status,
    duration,
    failureDetails: errorsDetailed,
    failureMessages: errors,
    invocations,
    location: null,
    numPassingAsserts: 0,
  };
};

export const runFile = async (path, { rootDir, testTimeout, testNamePattern }) => {
  const start = Date.now();
  const config = { rootDir, testMatch: [] };
  resetState();
  const state = getState();
  state.testTimeout = testTimeout;
  state.testNamePattern = testNamePattern ? new RegExp(testNamePattern, 'i') : null;
  jestExpect.setState({ testPath: path, currentTestName: undefined, suppressedErrors: [] });
  let results = [];
  let failure;
  try {
    await import(pathToFileURL(path).href);
    const { testResults, unhandledErrors } = await run();
    results = testResults.map(toAssertionResult);
    if (unhandledErrors.length > 0) failure = new Error(unhandledErrors.join('\n\n'));
  } catch (error) {
    failure = error;
  }
  const end = Date.now();
  const count = (status) => results.filter((result) => result.status === status).length;
  return {
    console: undefined,
    coverage: undefined,
    displayName: undefined,
    failureMessage: failure
      ? formatExecError(failure, config, noStackTraces, path)
      : formatResultsErrors(results, config, noStackTraces, path),
    leaks: false,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    openHandles: [],
    perfStats: { start, end, runtime: end - start, slow: end - start > 5000, loadTestEnvironmentStart: start, loadTestEnvironmentEnd: start, setupAfterEnvStart: start, setupAfterEnvEnd: start, setupFilesStart: start, setupFilesEnd: start },
    skipped: false,
    snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
    testExecError: failure ? { message: failure.message, stack: failure.stack } : undefined,
    testFilePath: path,
    testResults: results,
  };
};
