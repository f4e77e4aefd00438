import fc from 'fast-check';
import { failedTest } from '../coverage/coverage.js';
import type { OperationModel } from '../document/operations.js';
import { describeFaults, type Recorder } from '../stage.js';
import type { Cell } from '../coverage/cells.js';
import { BudgetSpent } from '../target/budget.js';
import type { Key } from '../target/keys.js';
import { leanSample, type Sample } from '../target/sample.js';
import { goodSample, hintsOf } from '../target/scenarioContext.js';
import type { ScenarioContext } from '../target/target.js';
import type { InsertionPoint } from './insertionPoints.js';
import type { CheckedSample, SampleCheck } from './sampleCheck.js';
import { anySample, samplesOf, type NameMark } from './samples.js';
import type { ChooseValues } from './valueChoice.js';

/** What is tried with an operation. */
export interface SampleRun {
  readonly context: ScenarioContext;
  readonly key: Key;
  readonly recorder: Recorder;
  readonly check: SampleCheck;
  readonly choose: ChooseValues;
  /** How many requests each part of it may send. */
  readonly share: number;
}

/** The odd values of one point. */
export const runInsertionPoint = async (run: SampleRun, point: InsertionPoint): Promise<void> => {
  const { context, recorder, check, choose, share } = run;
  const { contract, operation, target } = context;
  const all = pointSamples(context, point, choose);
  const samples = spread(all, share);
  const count = samples.length === all.length ? `${all.length}` : `${samples.length} of ${all.length}`;
  const tried = {
    name: `${operation.id} ${point.name}: ${count} values are read as the contract says`,
    operationId: operation.id,
  };
  for (const sample of samples) {
    const { faults, request } = await check(sample);
    if (faults.length === 0) continue;
    recorder.failed(tried, {
      ...describeFaults(faults),
      at: contract.at(operation.location),
      curl: target.curl(request),
    });
    for (const cell of insertionPointCells(operation, point)) recorder.excused(cell, failedTest);
    return;
  }
  recorder.passed(tried);
  for (const cell of insertionPointCells(operation, point)) recorder.covered(cell);
};

/** The samples of one point, before some of them are chosen. */
export const pointSamples = (
  context: ScenarioContext,
  point: InsertionPoint,
  choose: ChooseValues,
): Sample[] => {
  const { operation, target } = context;
  const good = leanSample(operation, target.substitutions);
  return samplesOf(operation, good, point, markOf(context), choose);
};

const markOf = (context: ScenarioContext): NameMark | undefined => {
  const { mark: text } = context.target.budget;
  const { nameField: field } = hintsOf(context);
  return text !== undefined && field !== undefined ? { text, field } : undefined;
};

/** The cell of a point; the body as a whole has none. */
export const insertionPointCells = ({ id }: OperationModel, { name, kind }: InsertionPoint): Cell[] =>
  name === 'body' ? [] : [{ operationId: id, kind, name }];

/** At most so many of a list, taken from all over it. */
const spread = <T>(list: readonly T[], most: number): readonly T[] => {
  if (list.length <= most) return list;
  const groupOf = (index: number): number => Math.floor((index * most) / list.length);
  return list.filter((_, index) => groupOf(index) !== groupOf(index - 1));
};

/** What is thrown in a property, so that fast-check looks for a smaller request. */
class Faulty extends Error {
  constructor(readonly checked: CheckedSample) {
    super(describeFaults(checked.faults).what);
  }
}

/** Requests that chance makes, shrunk to the smallest that fails. */
export const runRandomSamples = async (run: SampleRun, seed: number, runs: number): Promise<void> => {
  const { context, recorder, check, share } = run;
  const { contract, operation, target } = context;
  const numRuns = Math.min(runs, share);
  const tried = {
    name: `${operation.id}: ${numRuns} requests of chance are read as the contract says`,
    operationId: operation.id,
  };
  const samples = anySample(operation, goodSample(context), target.substitutions, markOf(context));
  const property = fc.asyncProperty(samples, async (sample) => {
    const checked = await check(sample);
    if (checked.faults.length > 0) throw new Faulty(checked);
  });
  const { failed, errorInstance } = await fc.check<[Sample]>(property, { seed, numRuns });
  if (!failed) {
    recorder.passed(tried);
    return;
  }
  if (errorInstance instanceof BudgetSpent) throw errorInstance;
  recorder.failed(tried, {
    ...(errorInstance instanceof Faulty
      ? {
          ...describeFaults(errorInstance.checked.faults),
          curl: target.curl(errorInstance.checked.request),
        }
      : { what: String(errorInstance) }),
    at: contract.at(operation.location),
    seed,
  });
};
