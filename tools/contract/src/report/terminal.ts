import { groupBy } from '../../../../src/lib/collections.js';
import { byOperation, countStates, type Coverage, type CoverageCell } from '../coverage/coverage.js';
import {
  casesWith,
  causesIn,
  isGood,
  outcomeOf,
  type CaseOutcome,
  type CaseResult,
  type RunResult,
  type StageResult,
} from '../run/results.js';
import type { Estimate } from '../stage.js';
import type { Budget } from '../target/budget.js';
import { countOf, formatTimes, remoteEffects, runVerdict, skipsOf } from './wording.js';

const words: Readonly<Record<CaseOutcome, string>> = {
  passed: 'ok  ',
  warned: 'warn',
  skipped: 'skip',
  failed: 'FAIL',
};

/** A terminal that shows more than this shows nothing; the reports hold them all. */
const mostProblems = 20;

/** What will be done to a service that somebody else runs. */
export const planLines = (
  estimates: readonly (Estimate & { readonly stage: string })[],
  { maxRequests, maxVouchers, mark }: Budget,
  { allowWrites }: { readonly allowWrites: boolean },
): string[] => {
  const sum = (of: keyof Estimate): number => estimates.reduce((total, one) => total + one[of], 0);
  const parts = estimates.map(({ stage, requests }) => `${stage} ${requests}`).join(', ');
  const [requests, vouchers] = [sum('requests'), sum('vouchers')];
  const capped = (option: string, count: number, most: number): string[] =>
    count > most ? [`     ${option} ${most}: what does not fit is left out, and said below`] : [];
  return [
    `     at most ${countOf(Math.min(requests, maxRequests), 'request')} will be sent (${parts})`,
    mark === undefined
      ? `     ${allowWrites ? 'they may change something there' : 'none of them changes anything: --allow-writes is not given'}`
      : vouchers === 0
        ? '     no voucher will be made'
        : `     at most ${countOf(Math.min(vouchers, maxVouchers), 'voucher')} will be made, with names that begin with "${mark}"`,
    ...capped('--max-requests', requests, maxRequests),
    ...capped('--max-vouchers', vouchers, maxVouchers),
  ];
};

/** The line of a stage, and what it found. */
export const stageLines = (stage: StageResult, out: string): string[] => linesOf(stage, out).map(visible);

/** An answer must not be able to move the cursor or to colour the terminal. */
const visible = (line: string): string =>
  line.replace(
    // oxlint-disable-next-line no-control-regex
    /[\0-\x1f\x7f-\x9f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

const linesOf = (stage: StageResult, out: string): string[] => {
  const problems = [...causesIn(stage, 'failed'), ...causesIn(stage, 'warned')];
  const hidden = problems.length - mostProblems;
  return [
    `${words[outcomeOf(stage)]} ${stage.name.padEnd(11)} ${figures(stage)} in ${formatTimes(stage)}`,
    ...problems.slice(0, mostProblems).flatMap(problemLines),
    ...(hidden > 0 ? [`     … and ${hidden} more in ${out}/index.html`] : []),
    ...knownCauseLines(stage),
    ...skipsOf([stage]).map(([reason, count]) => `     ${count} skipped: ${reason}`),
  ];
};

const figures = (stage: StageResult): string => {
  const parts = (['failed', 'warned', 'skipped'] as const).flatMap((outcome) => {
    const found = casesWith(stage, outcome).length;
    return found === 0 ? [] : [`${found} ${outcome}`];
  });
  return [countOf(stage.cases.length, 'case'), ...parts].join(', ');
};

const problemLines = ({ name, outcome, problem, alsoSeenIn = [] }: CaseResult): string[] => {
  const { what = '', at, line, curl, seed } = problem ?? {};
  return [
    `     ${outcome === 'failed' ? '✗' : '!'} ${name}`,
    ...what.split('\n').map((part) => `       ${part}`),
    ...(at === undefined ? [] : [`       ${at}`]),
    ...(line === undefined ? [] : [`         ${line}`]),
    ...(curl === undefined ? [] : curl.split('\n').map((part) => `       ${part}`)),
    ...(seed === undefined ? [] : [`       seed ${seed}`]),
    ...(alsoSeenIn.length === 0 ? [] : [`       also seen in: ${countOf(alsoSeenIn.length, 'case')}`]),
  ];
};

/** What a stage before has found already is counted, and not told again. */
const knownCauseLines = (stage: StageResult): string[] => {
  const later = casesWith(stage, 'failed').flatMap(({ sameAs }) =>
    sameAs && sameAs.stage !== stage.name ? [`${sameAs.stage}: ${sameAs.name}`] : [],
  );
  return [...groupBy(later, (cause) => cause)].map(
    ([cause, cases]) => `     ✗ ${countOf(cases.length, 'case')} for the cause found by ${cause}`,
  );
};

/** The coverage table, what could not be tried, the verdict, and where to read on. */
export const closingLines = (result: RunResult, out: string): string[] => {
  const skips = skipsOf(result.contracts.flatMap(({ stages }) => stages));
  const skipped = skips.reduce((sum, [, count]) => sum + count, 0);
  return [
    '',
    ...result.contracts.flatMap(({ coverage }) => coverageLines(coverage)),
    '',
    ...(result.url === undefined || skipped === 0
      ? []
      : [
          `${countOf(skipped, 'case')} could not be tried:`,
          ...skips.map(([reason, count]) => `  ${String(count).padStart(4)} ${reason}`),
          '',
        ]),
    ...remoteEffects(result),
    ...revokeLines(result),
    `${isGood(result) ? 'ok  ' : 'FAIL'} ${runVerdict(result)}`,
    `     seed ${result.seed}, reports in ${out}: index.html, summary.md, junit.xml`,
  ];
};

/** For the terminal alone: reports are shown to people who may not have the codes. */
const revokeLines = ({ madeVouchers, thirdParty }: RunResult): string[] => {
  if (thirdParty) return [];
  const codes = madeVouchers.filter((code) => /^[\w-]+$/.test(code));
  return codes.length === 0 ? [] : [`On its machine: npx voucherd voucher revoke ${codes.join(' ')}`];
};

const kinds = { status: 'statuses', parameter: 'parameters', field: 'fields' } as const;

const coverageLines = (coverage: Coverage): string[] => {
  const unknown = coverage.unknown.map(
    ({ operationId, name }) => `  ✗ a stage covers what the contract does not have: ${operationId} ${name}`,
  );
  if (!coverage.judged) return ['Coverage is judged in a run of all stages.', ...unknown];
  const { tested, excused, untested } = countStates(coverage.cells);
  return [
    `Coverage: ${tested} tested ✓, ${excused} excused (n), ${untested} untested ✗`,
    ...[...byOperation(coverage)].flatMap(([operationId, cells]) => [
      `  ${operationId}`,
      ...(Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
        kindLines(
          kinds[kind],
          cells.filter((cell) => cell.kind === kind),
        ),
      ),
    ]),
    ...coverage.reasons.map((reason, index) => `  (${index + 1}) ${reason}`),
    ...unknown,
  ];
};

const kindLines = (title: string, cells: readonly CoverageCell[]): string[] => {
  if (cells.length === 0) return [];
  const { tested } = countStates(cells);
  const mark = ({ name, state, note }: CoverageCell): string =>
    `${{ tested: '✓', excused: `(${note ?? 0})`, untested: '✗' }[state]} ${name}`;
  // Fields are many: those that are tested are only counted.
  const shown =
    title === 'fields'
      ? [
          ...(tested > 0 ? [`✓ ${tested} of ${cells.length}`] : []),
          ...cells.filter(({ state }) => state !== 'tested').map(mark),
        ]
      : cells.map(mark);
  return wrap(shown, 92).map((line, index) => `    ${(index === 0 ? title : '').padEnd(11)} ${line}`);
};

const wrap = (parts: readonly string[], width: number): string[] => {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + 3 <= width)
      lines[lines.length - 1] = `${last}   ${part}`;
    else lines.push(part);
  }
  return lines;
};
