import junit, { type Builder, type TestSuite } from 'junit-report-builder';
import type { CaseResult, ContractResult, RunResult } from '../run/results.js';
import { countOf, problemText } from './wording.js';

// Its types name a default export; the module itself is the builder.
const builder = junit as unknown as Builder;

/** The run as JUnit XML: one suite per stage, and one for the coverage when it is judged. */
export const renderJunit = ({ contracts, startedAt }: RunResult): string => {
  const report = builder.newBuilder().name('contract');
  for (const contract of contracts) {
    const suiteName = (name: string): string => (contracts.length > 1 ? `${contract.name} ${name}` : name);
    for (const { name, cases, durationMs } of contract.stages) {
      const suite = report
        .testSuite()
        .name(suiteName(name))
        .timestamp(startedAt)
        .time(durationMs / 1000);
      for (const one of cases) addCase(suite, name, one);
    }
    const { judged, unknown } = contract.coverage;
    if (judged || unknown.length > 0)
      addCoverage(report.testSuite().name(suiteName('coverage')).timestamp(startedAt), contract);
  }
  return report.build();
};

const addTest = (suite: TestSuite, stage: string, operationId: string | undefined, name: string) =>
  suite
    .testCase()
    .className(operationId === undefined ? stage : `${stage}.${operationId}`)
    .name(writable(name));

/** A cause is one failure: the cases that failed for the same one are told as skipped, with its name. */
const addCase = (suite: TestSuite, stage: string, result: CaseResult): void => {
  const { name, operationId, outcome, durationMs, problem, reason = '', sameAs, alsoSeenIn = [] } = result;
  const test = addTest(suite, stage, operationId, name).time(durationMs / 1000);
  const text = problem ? writable(problemText(problem)) : '';
  const more = alsoSeenIn.length > 0 ? `\nalso seen in: ${countOf(alsoSeenIn.length, 'case')}` : '';
  if (outcome === 'failed' && sameAs)
    test.skipped().standardOutput(`the same cause as ${sameAs.stage}: ${writable(sameAs.name)}\n${text}`);
  else if (outcome === 'failed') test.failure(writable(problem?.what ?? '')).stacktrace(text + more);
  else if (outcome === 'warned') test.standardOutput(text);
  else if (outcome === 'skipped') test.skipped().standardOutput(writable(reason));
};

const addCoverage = (suite: TestSuite, { coverage }: ContractResult): void => {
  const { cells, reasons, unknown, judged } = coverage;
  for (const { operationId, name, kind, state, note } of judged ? cells : []) {
    const test = addTest(suite, 'coverage', operationId, `${operationId} ${name} is tested`);
    if (state === 'untested') test.failure(`no stage tried this ${kind}`);
    else if (state === 'excused') test.skipped().standardOutput(reasons[(note ?? 0) - 1] ?? '');
  }
  for (const { operationId, name } of unknown)
    addTest(suite, 'coverage', operationId, name).failure('a stage covers what the contract does not have');
};

/** XML has no way to write most control characters and unpaired surrogates, not even as references. */
const writable = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    // The library writes texts as CDATA, and splits only the first end of one in them.
    .replaceAll(']]>', ']] >');
