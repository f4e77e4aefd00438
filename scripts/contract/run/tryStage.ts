import type { Contract } from '../contract.js';
import type { Options } from '../options.js';
import type { Stage } from '../stage.js';
import type { World } from '../world.js';
import type { RunResult } from './results.js';
import { runStages } from './run.js';

/** Runs one stage alone, in silence, for tests. */
export const tryStage = (
  stage: Stage,
  tried: {
    readonly contract: Contract;
    readonly options: Options;
    readonly world?: () => Promise<World>;
  },
): Promise<RunResult> =>
  runStages({
    world: () => Promise.reject(new Error('this test has no service')),
    ...tried,
    stages: [stage],
    listener: { started: () => undefined, progress: () => undefined, ended: () => undefined },
    now: Date.now,
  });
