import { makeAnswerCheck, type AnswerCheck } from '../conformance/answers.js';
import type { Cell, Recorder, Stage } from '../stage.js';
import type { Key } from '../world/keys.js';
import { forbiddenToSend, isExcuse, type Scene } from '../world/scene.js';
import { placeCells, tryChance, tryPlace } from './attempts.js';
import { placesOf } from './places.js';
import { makeTrial } from './trial.js';

/** Sends what nobody thought of, and holds the answers against what the contract makes of it. */
export const generated: Stage = {
  name: 'generated',
  title: 'generated requests are read as the contract says',
  run: async ({ contract, options, recorder, world: getWorld }) => {
    const world = await getWorld();
    const answers = makeAnswerCheck(contract, world);
    const steps = contract.operations.flatMap((operation) =>
      stepsOf({ contract, operation, world }, answers, recorder, options),
    );
    for (const [done, step] of steps.entries()) {
      recorder.progress(done, steps.length);
      await step();
    }
    recorder.progress(steps.length, steps.length);
  },
};

type Step = () => Promise<void> | void;

/** One step for each place of a request, and one for requests that chance makes. */
const stepsOf = (
  scene: Scene,
  answers: AnswerCheck,
  recorder: Recorder,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Step[] => {
  const { operation, world } = scene;
  const places = placesOf(operation, world.substitutions);
  const key = forbiddenToSend(scene) ?? world.keys.permitting(operation.scope);
  if (isExcuse(key)) {
    const skip = (): void => {
      recorder.skipped(
        { name: `${operation.id}: generated requests`, operationId: operation.id },
        key.excuse,
      );
      for (const cell of places.flatMap((place) => placeCells(operation, place)))
        recorder.excused(cell, key.excuse);
    };
    return [skip];
  }
  const trial = makeTrial(scene, key, answers, notingOnce(recorder));
  const attempt = { scene, key, recorder, trial, share: shareOf(key, places.length + 1) };
  return [...places.map((place) => () => tryPlace(attempt, place)), () => tryChance(attempt, seed, runs)];
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
