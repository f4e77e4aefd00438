import type { Marks } from '../coverage/coverage.js';
import type { Case, Cell, StageProblem, Recorder } from '../stage.js';
import type { Excerpt } from './excerpt.js';
import type { Redact } from './redact.js';
import type { CaseResult, FoundProblem } from './results.js';

export interface RecordingOptions {
  readonly redact: Redact;
  readonly excerpt: Excerpt;
  readonly now: () => number;
  readonly onProgress: (done: number, of: number) => void;
}

/** What one stage takes down: a recorder for the stage, and what came of it for the frame. */
export interface Recording {
  readonly recorder: Recorder;
  readonly cases: readonly CaseResult[];
  readonly marks: Marks;
}

/** A case takes as long as it was since the one before. */
export const makeRecording = ({ redact, excerpt, now, onProgress }: RecordingOptions): Recording => {
  const cases: CaseResult[] = [];
  const covered: Cell[] = [];
  const excused: { cell: Cell; reason: string }[] = [];
  let last = now();

  const take = (
    { name, operationId }: Case,
    rest: Omit<CaseResult, 'name' | 'operationId' | 'durationMs'>,
  ): void => {
    const time = now();
    cases.push({
      name: redact(name),
      ...(operationId !== undefined && { operationId }),
      ...rest,
      durationMs: time - last,
    });
    last = time;
  };
  const found = ({ what, at, curl, seed }: StageProblem): FoundProblem => {
    const line = at === undefined ? undefined : excerpt(at);
    return {
      what: redact(what),
      ...(at !== undefined && { at }),
      ...(line !== undefined && { line: redact(line) }),
      ...(curl !== undefined && { curl: redact(curl) }),
      ...(seed !== undefined && { seed }),
    };
  };

  return {
    recorder: {
      passed: (tried) => take(tried, { outcome: 'passed' }),
      failed: (tried, problem) => take(tried, { outcome: 'failed', problem: found(problem) }),
      warned: (tried, problem) => take(tried, { outcome: 'warned', problem: found(problem) }),
      skipped: (tried, reason) => take(tried, { outcome: 'skipped', reason: redact(reason) }),
      covered: (cell) => covered.push(cell),
      excused: (cell, reason) => excused.push({ cell, reason: redact(reason) }),
      progress: onProgress,
    },
    cases,
    marks: { covered, excused },
  };
};
