import type { ContractModel } from './contract.js';
import type { ContractUnderTest } from './contracts.js';
import type { Cell } from './coverage/cells.js';
import type { ContractRunOptions, StageName } from './options.js';
import { BudgetSpent } from './target/budget.js';
import type { Target } from './target/target.js';

/** One thing that was tried. */
export interface Case {
  /** A sentence: `createVoucher 404: the body fits its schema`. */
  readonly name: string;
  readonly operationId?: string;
}

/** Something that is wrong. What has the same cause is one failure, wherever it is seen. */
export interface Fault {
  readonly text: string;
  readonly cause: string;
}

/** What was found wrong, for somebody who has not seen the code of the stage. */
export interface StageProblem {
  readonly what: string;
  /** Later failures with the same cause are listed under the first one. One that may have several shares any of them. */
  readonly cause?: string | readonly string[];
  /** Where it stands: `openapi.yaml:120:7`. */
  readonly at?: string;
  /** The request that shows it, to paste into a shell. Keys are left out: `$KEY`. */
  readonly curl?: string;
  /** Repeats a generated request. */
  readonly seed?: number;
}

/** Faults as a problem; the first one decides about the cause. */
export const describeFaults = (faults: readonly Fault[]): Pick<StageProblem, 'what' | 'cause'> => ({
  what: faults.map(({ text }) => text).join('; '),
  ...(faults[0] && { cause: faults[0].cause }),
});

/** The cause of what is wrong with a field or a key of this name in the contract itself. */
export const fieldCause = (name: string): string => `field ${name}`;

/** Takes down what a stage does. */
export interface Recorder {
  passed(tried: Case): void;
  failed(tried: Case, problem: StageProblem): void;
  /** Worth reading, and no reason for the run to fail. */
  warned(tried: Case, problem: StageProblem): void;
  /** Every skip has a reason that a reader understands. */
  skipped(tried: Case, reason: string): void;
  covered(cell: Cell): void;
  /** Can not be tested here, and why. */
  excused(cell: Cell, reason: string): void;
  /** How far the stage is, for the progress bar. */
  progress(done: number, of: number): void;
}

export interface StageContext {
  readonly served: ContractUnderTest;
  readonly contract: ContractModel;
  readonly options: ContractRunOptions;
  readonly recorder: Recorder;
  /** The service under test, started when the first stage asks for it. */
  target(): Promise<Target>;
  /** Puts a text of the stage's own beside the reports. */
  attach(file: string, text: string): void;
}

/** How much a stage sends at most. */
export interface Estimate {
  readonly requests: number;
  readonly vouchers: number;
}

/** One stage of the contract run. What it throws is a failure of the stage. */
export interface Stage {
  readonly name: StageName;
  /** What it looks at, in a few words. */
  readonly title: string;
  run(context: StageContext): Promise<void>;
  /** For a stage that sends requests. */
  estimate?(contract: ContractModel, target: Target, options: ContractRunOptions): Estimate;
}

/** A part of a stage that is tried by itself. */
export interface Step extends Case {
  /** What it is there to test. */
  readonly cells?: readonly Cell[];
  run(): Promise<void> | void;
}

/** Runs steps one after the other. One for which the budget does not reach is skipped, and the next is tried. */
export const runSteps = async (steps: readonly Step[], recorder: Recorder): Promise<void> => {
  for (const [done, { run, cells = [], ...tried }] of steps.entries()) {
    recorder.progress(done, steps.length);
    try {
      await run();
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      recorder.skipped(tried, error.message);
      for (const cell of cells) recorder.excused(cell, error.message);
    }
  }
  recorder.progress(steps.length, steps.length);
};
