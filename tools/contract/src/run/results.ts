import type { Coverage } from '../coverage/coverage.js';
import type { StageName } from '../options.js';
import type { Case, StageProblem } from '../stage.js';

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
  /** The case that failed first for the same cause. */
  readonly sameAs?: CaseOfStage;
  /** Those that failed later for the same cause. */
  readonly alsoSeenIn?: readonly CaseOfStage[];
  /** Why it was skipped. */
  readonly reason?: string;
}

export interface CaseOfStage {
  readonly stage: StageName;
  readonly name: string;
}

export interface StageResult {
  readonly name: StageName;
  readonly title: string;
  readonly durationMs: number;
  /** Of all processes of the run; undefined where it is not measured. */
  readonly processorMs?: number | undefined;
  readonly cases: readonly CaseResult[];
  /** The command that runs this stage again in the same way. */
  readonly repeat: string;
}

/** What came out of one contract. */
export interface ContractResult {
  readonly name: string;
  readonly file: string;
  readonly version: string;
  readonly stages: readonly StageResult[];
  readonly coverage: Coverage;
}

/** A text that a stage made for the reader. */
export interface Attachment {
  readonly file: string;
  readonly text: string;
}

/** Everything the reports are made of. */
export interface RunResult {
  /** The address under test; undefined when the run started its own service. */
  readonly url: string | undefined;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly processorMs?: number | undefined;
  readonly contracts: readonly ContractResult[];
  readonly attachments: readonly Attachment[];
  /** What was done to a service that somebody else runs. */
  readonly sentRequests: number;
  /** The codes of the vouchers that were made there; of another service, an entry for each change. */
  readonly madeVouchers: readonly string[];
  /** Was it a service of others? */
  readonly thirdParty: boolean;
}

export const casesWith = (stage: StageResult, outcome: CaseOutcome): CaseResult[] =>
  stage.cases.filter((one) => one.outcome === outcome);

/** What failed or warned, each cause once: the case in which it was seen first. */
export const causesIn = (stage: StageResult, outcome: 'failed' | 'warned'): CaseResult[] =>
  casesWith(stage, outcome).filter(({ sameAs }) => !sameAs);

/** The worst that happened in a stage; skipped only when nothing else happened. */
export const outcomeOf = (stage: StageResult): CaseOutcome => {
  const has = (outcome: CaseOutcome): boolean => stage.cases.some((one) => one.outcome === outcome);
  if (has('failed')) return 'failed';
  if (has('warned')) return 'warned';
  return has('skipped') && !has('passed') ? 'skipped' : 'passed';
};

/** Did the run find nothing that must be changed? */
export const isGood = ({ contracts }: RunResult): boolean =>
  contracts.every(
    ({ stages, coverage }) =>
      stages.every((stage) => outcomeOf(stage) !== 'failed') &&
      coverage.unknown.length === 0 &&
      !(coverage.judged && coverage.cells.some(({ state }) => state === 'untested')),
  );
