import fc from 'fast-check';
import type { Operation } from '../document/types.js';
import type { Cell, Recorder } from '../stage.js';
import type { Key } from '../world/keys.js';
import { leanSample, type Sample } from '../world/sample.js';
import { goodSample, type Scene } from '../world/scene.js';
import type { Place } from './places.js';
import { anySample, samplesOf } from './samples.js';
import { trialRequest, type Trial } from './trial.js';

/** What is tried with an operation. */
export interface Attempt {
  readonly scene: Scene;
  readonly key: Key;
  readonly recorder: Recorder;
  readonly trial: Trial;
  /** How many requests it may send. */
  readonly share: number;
}

/** Every odd value of one place. */
export const tryPlace = async (attempt: Attempt, place: Place): Promise<void> => {
  const { scene, key, recorder, trial, share } = attempt;
  const { operation, world } = scene;
  const all = samplesOf(operation, leanSample(operation, world.substitutions), place);
  const samples = spread(all, share);
  const count = samples.length === all.length ? `${all.length}` : `${samples.length} of ${all.length}`;
  const tried = {
    name: `${operation.id} ${place.name}: ${count} values are read as the contract says`,
    operationId: operation.id,
  };
  for (const sample of samples) {
    const faults = await trial(sample);
    if (faults.length === 0) continue;
    recorder.failed(tried, { what: faults.join('; '), curl: world.curl(trialRequest(scene, sample, key)) });
    return;
  }
  recorder.passed(tried);
  for (const cell of placeCells(operation, place)) recorder.covered(cell);
};

/** The cell of a place; the body as a whole has none. */
export const placeCells = ({ id }: Operation, { name, kind }: Place): Cell[] =>
  name === 'body' ? [] : [{ operationId: id, kind, name }];

/** At most so many of a list, taken from all over it. */
const spread = <T>(list: readonly T[], most: number): readonly T[] => {
  if (list.length <= most) return list;
  const groupOf = (index: number): number => Math.floor((index * most) / list.length);
  return list.filter((_, index) => groupOf(index) !== groupOf(index - 1));
};

/** Requests that chance makes, shrunk to the smallest that fails. */
export const tryChance = async (attempt: Attempt, seed: number, runs: number): Promise<void> => {
  const { scene, key, recorder, trial, share } = attempt;
  const { operation, world } = scene;
  const numRuns = Math.min(runs, share);
  const tried = {
    name: `${operation.id}: ${numRuns} requests of chance are read as the contract says`,
    operationId: operation.id,
  };
  const samples = anySample(operation, goodSample(scene), world.substitutions);
  const property = fc.asyncProperty(samples, async (sample) => {
    const faults = await trial(sample);
    if (faults.length > 0) throw new Error(faults.join('; '));
  });
  const { failed, counterexample, errorInstance } = await fc.check<[Sample]>(property, { seed, numRuns });
  if (!failed) {
    recorder.passed(tried);
    return;
  }
  const [sample] = counterexample ?? [];
  recorder.failed(tried, {
    what: errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    seed,
    ...(sample && { curl: world.curl(trialRequest(scene, sample, key)) }),
  });
};
