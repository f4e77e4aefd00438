import { groupBy } from '../../../../src/lib/collections.js';
import { cellKey, type Cell } from './cells.js';

export interface CoverageCell extends Cell {
  readonly state: 'tested' | 'excused' | 'untested';
  /** The number of the written reason of an excused cell, from 1. */
  readonly note?: number;
}

/** What of the contract was tried, and why the rest was not. */
export interface Coverage {
  readonly cells: readonly CoverageCell[];
  /** The reasons that notes count. */
  readonly reasons: readonly string[];
  /** What a stage claims to have tried although the contract does not have it. */
  readonly unknown: readonly Cell[];
  /** Does an untested cell fail the run? Only a run of all stages can test everything. */
  readonly judged: boolean;
}

/** The reason of a cell whose test has failed: the failure is told once, and the cell is no second one. */
export const failedTest = 'its test failed';

/** What the stages took down. */
export interface Marks {
  readonly covered: readonly Cell[];
  readonly excused: readonly { readonly cell: Cell; readonly reason: string }[];
}

/** Holds what was tried against what the contract has. Tested beats excused. */
export const makeCoverage = (expected: readonly Cell[], marks: Marks, judged: boolean): Coverage => {
  const covered = new Set(marks.covered.map(cellKey));
  const excuses = new Map(marks.excused.map(({ cell, reason }) => [cellKey(cell), reason]));
  const reasons: string[] = [];
  const cells = expected.map((cell): CoverageCell => {
    const key = cellKey(cell);
    const reason = excuses.get(key);
    if (covered.has(key)) return { ...cell, state: 'tested' };
    if (reason === undefined) return { ...cell, state: 'untested' };
    if (!reasons.includes(reason)) reasons.push(reason);
    return { ...cell, state: 'excused', note: reasons.indexOf(reason) + 1 };
  });
  const known = new Set(expected.map(cellKey));
  const claimed = [...marks.covered, ...marks.excused.map(({ cell }) => cell)];
  const unknown = new Map(claimed.map((cell) => [cellKey(cell), cell]));
  for (const key of known) unknown.delete(key);
  return { cells, reasons, unknown: [...unknown.values()], judged };
};

/** How many cells are in which state. */
export const countStates = (
  cells: readonly CoverageCell[],
): Readonly<Record<CoverageCell['state'], number>> => {
  const counts = { tested: 0, excused: 0, untested: 0 };
  for (const { state } of cells) counts[state] += 1;
  return counts;
};

/** The operations of a coverage, each with its cells. */
export const byOperation = ({ cells }: Coverage): ReadonlyMap<string, readonly CoverageCell[]> =>
  groupBy(cells, ({ operationId }) => operationId);
