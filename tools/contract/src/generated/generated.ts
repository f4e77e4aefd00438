import { makeAnswerCheck, type AnswerCheck } from '../conformance/answers.js';
import { isLarge, type ContractModel } from '../contract.js';
import { isSafe } from '../request.js';
import { runSteps, type Recorder, type Stage, type Step } from '../stage.js';
import type { Cell } from '../coverage/cells.js';
import { type Key, isExcuse } from '../target/keys.js';
import { hintsOf, permittedKey, requestsEach } from '../target/scenarioContext.js';
import type { ScenarioContext } from '../target/target.js';
import { insertionPoints } from './insertionPoints.js';
import { makeSampleCheck } from './sampleCheck.js';
import {
  insertionPointCells,
  pointSamples,
  runInsertionPoint,
  runRandomSamples,
  type SampleRun,
} from './sampleRuns.js';
import { makeValueChoice } from './valueChoice.js';

/** Sends what nobody thought of, and holds the answers against what the contract makes of it. */
export const generated: Stage = {
  name: 'generated',
  title: 'generated requests are read as the contract says',
  run: async ({ contract, options, recorder, target: getTarget }) => {
    const target = await getTarget();
    const answers = makeAnswerCheck(contract, target);
    const choose = makeValueChoice(contract);
    const steps = contract.operations.flatMap((operation) =>
      stepsOf({ context: { contract, operation, target }, choose, recorder }, answers, options),
    );
    await runSteps(steps, recorder);
  },
  estimate: (contract, target, { runs }) => {
    let [requests, vouchers] = [0, 0];
    const choose = makeValueChoice(contract);
    for (const operation of contract.operations) {
      const context = { contract, operation, target };
      const key = permittedKey(context);
      if (isExcuse(key)) continue;
      const points = insertionPoints(operation, target.substitutions);
      const share = shareOf(context, key, points.length + 1);
      const counts = [
        ...points.map((point) => pointSamples(context, point, choose).length),
        runsOf(runs, contract, points.length),
      ];
      const sum = counts.reduce((total, count) => total + Math.min(count, share), 0);
      requests += target.thirdParty ? sum * requestsEach(context) : sum;
      if (!isSafe(operation.method)) vouchers += sum;
    }
    return { requests, vouchers };
  },
};

/** So many requests of chance are enough for each parameter and field. */
const runsEach = 25;

/** Requests of chance for an operation with so many points: those of a large contract share the ones of two. */
const runsOf = (runs: number, contract: ContractModel, points: number): number =>
  isLarge(contract)
    ? Math.min(runs, Math.max(3, Math.ceil((runs * 2) / contract.operations.length)))
    : Math.min(runs, runsEach * Math.max(1, points));

/** One step for each point of a request, and one for requests that chance makes. */
const stepsOf = (
  { context, choose, recorder }: Pick<SampleRun, 'context' | 'choose' | 'recorder'>,
  answers: AnswerCheck,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Step[] => {
  const { operation, target } = context;
  const { id: operationId } = operation;
  const points = insertionPoints(operation, target.substitutions);
  const key = permittedKey(context);
  if (isExcuse(key)) {
    const name = `${operationId}: generated requests`;
    const skip = (): void => {
      recorder.skipped({ name, operationId }, key.excuse);
      for (const cell of points.flatMap((point) => insertionPointCells(operation, point)))
        recorder.excused(cell, key.excuse);
    };
    return [{ name, operationId, run: skip }];
  }
  const check = makeSampleCheck(context, key, answers, notingOnce(recorder));
  const share = shareOf(context, key, points.length + 1);
  const run = { context, key, recorder, check, choose, share };
  return [
    ...points.map((point) => ({
      name: `${operationId} ${point.name}: values are read as the contract says`,
      operationId,
      cells: insertionPointCells(operation, point),
      run: () => runInsertionPoint(run, point),
    })),
    {
      name: `${operationId}: requests of chance are read as the contract says`,
      operationId,
      run: () => runRandomSamples(run, seed, runsOf(runs, context.contract, points.length)),
    },
  ];
};

/** Notes each field that answers show, once. */
const notingOnce = (recorder: Recorder): ((cells: readonly Cell[]) => void) => {
  const noted = new Set<string>();
  return (cells) => {
    for (const cell of cells.filter(({ name }) => !noted.has(name))) {
      noted.add(cell.name);
      recorder.covered(cell);
    }
  };
};

/** A key with a small limit makes every request after it wait, and vouchers may be few; then fewer must do. */
const shareOf = (context: ScenarioContext, { limit }: Key, steps: number): number => {
  const { operation, target } = context;
  const { maxSamples = Infinity } = hintsOf(context);
  const byLimit = limit === 0 || limit > 1_000 ? Infinity : Math.max(10, Math.floor(limit / steps));
  // Half of them are left for what other stages try.
  const byVouchers = isSafe(operation.method) ? Infinity : target.budget.maxVouchers / 2 / steps;
  return Math.min(maxSamples, byLimit, Math.max(2, Math.floor(byVouchers)));
};
