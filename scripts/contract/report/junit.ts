import type { CoverageCell } from '../coverage/coverage.js';
import type { CaseResult, RunResult, StageResult } from '../run/results.js';
import { problemText } from './wording.js';

/** The run as JUnit XML: one suite per stage, and one for the coverage when it is judged. */
export const renderJunit = (result: RunResult): string => {
  const suites = [
    ...result.stages.map((stage) => stageSuite(stage, result.startedAt)),
    ...(result.coverage.judged || result.coverage.unknown.length > 0 ? [coverageSuite(result)] : []),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="contract" time="${seconds(result.durationMs)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
};

const stageSuite = ({ name, cases, durationMs }: StageResult, startedAt: Date): string => {
  const counts = {
    tests: cases.length,
    failures: cases.filter(({ outcome }) => outcome === 'failed').length,
    errors: 0,
    skipped: cases.filter(({ outcome }) => outcome === 'skipped').length,
  };
  return suite(
    name,
    counts,
    durationMs,
    startedAt,
    cases.map((one) => testCase(name, one)),
  );
};

const coverageSuite = ({ coverage: { cells, reasons, unknown, judged }, startedAt }: RunResult): string => {
  const expected = judged ? cells : [];
  const lines = [
    ...expected.map((cell) => coverageCase(cell, reasons)),
    ...unknown.map(({ operationId, name }) =>
      element('coverage', operationId, name, 0, failure('a stage covers what the contract does not have')),
    ),
  ];
  const counts = {
    tests: lines.length,
    failures: expected.filter(({ state }) => state === 'untested').length + unknown.length,
    errors: 0,
    skipped: expected.filter(({ state }) => state === 'excused').length,
  };
  return suite('coverage', counts, 0, startedAt, lines);
};

const suite = (
  name: string,
  counts: Readonly<Record<string, number>>,
  durationMs: number,
  startedAt: Date,
  lines: readonly string[],
): string => {
  const figures = Object.entries(counts).map(([key, value]) => `${key}="${value}"`);
  const head = `  <testsuite name="${escape(name)}" ${figures.join(' ')} time="${seconds(durationMs)}"`;
  return [`${head} timestamp="${startedAt.toISOString()}">`, ...lines, '  </testsuite>'].join('\n');
};

const testCase = (
  stage: string,
  { name, operationId, outcome, durationMs, problem, reason }: CaseResult,
): string => {
  const text = problem ? problemText(problem) : '';
  const inside = {
    passed: '',
    failed: failure(problem?.what ?? '', text),
    warned: `<system-out>${escape(text)}</system-out>`,
    skipped: skipped(reason ?? ''),
  };
  return element(stage, operationId, name, durationMs, inside[outcome]);
};

const coverageCase = (
  { operationId, name, kind, state, note }: CoverageCell,
  reasons: readonly string[],
): string => {
  const inside = {
    tested: '',
    excused: skipped(reasons[(note ?? 0) - 1] ?? ''),
    untested: failure(`no stage tried this ${kind}`),
  };
  return element('coverage', operationId, `${operationId} ${name} is tested`, 0, inside[state]);
};

const element = (
  stage: string,
  operationId: string | undefined,
  name: string,
  durationMs: number,
  inside: string,
): string => {
  const group = operationId === undefined ? stage : `${stage}.${operationId}`;
  const head = `    <testcase classname="${escape(group)}" name="${escape(name)}" time="${seconds(durationMs)}"`;
  return inside === '' ? `${head}/>` : `${head}>${inside}</testcase>`;
};

const failure = (message: string, text = ''): string =>
  `<failure message="${escape(message)}">${escape(text)}</failure>`;

const skipped = (message: string): string => `<skipped message="${escape(message)}"/>`;

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** XML has no way to write most control characters and unpaired surrogates, not even as references. */
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

const escape = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"\n]/g, (character) => entities[character] ?? '');
