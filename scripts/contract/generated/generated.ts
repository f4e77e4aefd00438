import { makeAnswerCheck, type AnswerCheck } from '../conformance/answers.js';
import type { Cell, Recorder, Stage } from '../stage.js';
import { isExcuse } from '../target/excuse.js';
import type { Key } from '../target/keys.js';
import { forbiddenToSend, type ScenarioContext } from '../target/scenarioContext.js';
import { insertionPoints } from './insertionPoints.js';
import { makeSampleCheck } from './sampleCheck.js';
import { insertionPointCells, runInsertionPoint, runRandomSamples } from './sampleRuns.js';

/** Sends what nobody thought of, and holds the answers against what the contract makes of it. */
export const generated: Stage = {
  name: 'generated',
  title: 'generated requests are read as the contract says',
  run: async ({ contract, options, recorder, target: getTarget }) => {
    const target = await getTarget();
    const answers = makeAnswerCheck(contract, target);
    const steps = contract.operations.flatMap((operation) =>
      stepsOf({ contract, operation, target }, answers, recorder, options),
    );
    for (const [done, step] of steps.entries()) {
      recorder.progress(done, steps.length);
      await step();
    }
    recorder.progress(steps.length, steps.length);
  },
};

type Step = () => Promise<void> | void;

/** One step for each point of a request, and one for requests that chance makes. */
const stepsOf = (
  context: ScenarioContext,
  answers: AnswerCheck,
  recorder: Recorder,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Step[] => {
  const { operation, target } = context;
  const points = insertionPoints(operation, target.substitutions);
  const key = forbiddenToSend(context) ?? target.keys.permitting(operation.scope);
  if (isExcuse(key)) {
    const skip = (): void => {
      recorder.skipped(
        { name: `${operation.id}: generated requests`, operationId: operation.id },
        key.excuse,
      );
      for (const cell of points.flatMap((point) => insertionPointCells(operation, point)))
        recorder.excused(cell, key.excuse);
    };
    return [skip];
  }
  const check = makeSampleCheck(context, key, answers, notingOnce(recorder));
  const run = { context, key, recorder, check, share: shareOf(key, points.length + 1) };
  return [
    ...points.map((point) => () => runInsertionPoint(run, point)),
    () => runRandomSamples(run, seed, runs),
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

/** A key with a small limit makes every request after it wait; then fewer must do. */
const shareOf = ({ limit }: Key, steps: number): number =>
  limit === 0 || limit > 1_000 ? Infinity : Math.max(10, Math.floor(limit / steps));
