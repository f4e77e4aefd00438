import {
  casesWith,
  isGood,
  outcomeOf,
  type CaseOutcome,
  type CaseResult,
  type RunResult,
  type StageResult,
} from '../run/results.js';
import { coverageLines } from './coverageLines.js';
import { countOf, formatDuration, runVerdict } from './wording.js';

const words: Readonly<Record<CaseOutcome, string>> = {
  passed: 'ok  ',
  warned: 'warn',
  skipped: 'skip',
  failed: 'FAIL',
};

/** A terminal that shows more than this shows nothing; the reports hold them all. */
const mostProblems = 20;

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
  const problems = [...casesWith(stage, 'failed'), ...casesWith(stage, 'warned')];
  const hidden = problems.length - mostProblems;
  return [
    `${words[outcomeOf(stage)]} ${stage.name.padEnd(11)} ${figures(stage)} in ${formatDuration(stage.durationMs)}`,
    ...problems.slice(0, mostProblems).flatMap(problemLines),
    ...(hidden > 0 ? [`     … and ${hidden} more in ${out}/index.html`] : []),
    ...skipLines(stage),
  ];
};

const figures = (stage: StageResult): string => {
  const parts = (['failed', 'warned', 'skipped'] as const).flatMap((outcome) => {
    const found = casesWith(stage, outcome).length;
    return found === 0 ? [] : [`${found} ${outcome}`];
  });
  return [countOf(stage.cases.length, 'case'), ...parts].join(', ');
};

const problemLines = ({ name, outcome, problem }: CaseResult): string[] => {
  const { what = '', at, line, curl, seed } = problem ?? {};
  return [
    `     ${outcome === 'failed' ? '✗' : '!'} ${name}`,
    ...what.split('\n').map((part) => `       ${part}`),
    ...(at === undefined ? [] : [`       ${at}`]),
    ...(line === undefined ? [] : [`         ${line}`]),
    ...(curl === undefined ? [] : [`       ${curl}`]),
    ...(seed === undefined ? [] : [`       seed ${seed}`]),
  ];
};

const skipLines = (stage: StageResult): string[] => {
  const reasons = new Map<string, number>();
  for (const { reason = '' } of casesWith(stage, 'skipped')) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, skipped]) => `     ${skipped} skipped: ${reason}`);
};

/** The coverage table, the verdict, and where to read on. */
export const closingLines = (result: RunResult, out: string): string[] => [
  '',
  ...coverageLines(result.coverage),
  '',
  `${isGood(result) ? 'ok  ' : 'FAIL'} ${runVerdict(result)}`,
  `     seed ${result.seed}, reports in ${out}: index.html, summary.md, junit.xml`,
];

/** Where a run is shown: a terminal, or a log that only takes lines. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  write(text: string): void;
}

/** The line that says how far a stage is. A log never sees it. */
export interface ProgressBar {
  show(title: string, done: number, of: number): void;
  clear(): void;
}

const barWidth = 24;
/** More often nobody can read it, and every change costs a system call. */
const pauseMs = 50;

export const makeProgressBar = (screen: Screen, now: () => number): ProgressBar => {
  let isShown = false;
  let last = -Infinity;
  return {
    show: (title, done, of) => {
      if (!screen.isTerminal || (done < of && now() - last < pauseMs)) return;
      last = now();
      isShown = true;
      const filled = of > 0 ? Math.round((Math.min(done, of) / of) * barWidth) : 0;
      const figures = of > 0 ? ` ${done}/${of}` : '';
      const bar = `     ${title.padEnd(11)} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}${figures}`;
      screen.write(`\r\u001b[K${bar.slice(0, Math.max(screen.columns - 1, 1))}`);
    },
    clear: () => {
      if (isShown) screen.write('\r\u001b[K');
      isShown = false;
      last = -Infinity;
    },
  };
};
