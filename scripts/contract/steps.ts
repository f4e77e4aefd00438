import type { Case, Cell, Recorder } from './stage.js';
import { BudgetSpent } from './target/budget.js';

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
