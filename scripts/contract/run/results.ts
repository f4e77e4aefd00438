import type { Coverage } from '../coverage/coverage.js';
import type { Case, StageProblem } from '../stage.js';
import type { StageName } from '../stageNames.js';

export type CaseOutcome = 'passed' | 'failed' | 'warned' | 'skipped';

/** A problem with the line of the file that it points to. */
export interface FoundProblem extends StageProblem {
  readonly line?: string;
}

/** What came out of one case. */
export interface CaseResult extends Case {
  readonly outcome: CaseOutcome;
  readonly durationMs: number;
  /** Of a case that failed or warned. */
  readonly problem?: FoundProblem;
  /** Why it was skipped. */
  readonly reason?: string;
}

export interface StageResult {
  readonly name: StageName;
  readonly title: string;
  readonly durationMs: number;
  readonly cases: readonly CaseResult[];
  /** The command that runs this stage again in the same way. */
  readonly repeat: string;
}

/** A text that a stage made for the reader. */
export interface Attachment {
  readonly file: string;
  readonly text: string;
}

/** Everything the reports are made of. */
export interface RunResult {
  readonly contract: { readonly file: string; readonly version: string };
  /** The address under test; undefined when the run started its own service. */
  readonly url: string | undefined;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly stages: readonly StageResult[];
  readonly coverage: Coverage;
  readonly attachments: readonly Attachment[];
}

export const casesWith = (stage: StageResult, outcome: CaseOutcome): CaseResult[] =>
  stage.cases.filter((one) => one.outcome === outcome);

/** The worst that happened in a stage; skipped only when nothing else happened. */
export const outcomeOf = (stage: StageResult): CaseOutcome => {
  const has = (outcome: CaseOutcome): boolean => stage.cases.some((one) => one.outcome === outcome);
  if (has('failed')) return 'failed';
  if (has('warned')) return 'warned';
  return has('skipped') && !has('passed') ? 'skipped' : 'passed';
};

/** Did the run find nothing that must be changed? */
export const isGood = ({ stages, coverage }: RunResult): boolean =>
  stages.every((stage) => outcomeOf(stage) !== 'failed') &&
  coverage.unknown.length === 0 &&
  !(coverage.judged && coverage.cells.some(({ state }) => state === 'untested'));
