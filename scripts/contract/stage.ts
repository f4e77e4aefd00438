import type { Contract } from './contract.js';
import type { Options } from './options.js';
import type { World } from './world.js';

/** In the order in which they run. Each can be called alone: `npm run contract -- lint examples`. */
export const stageNames = [
  'lint',
  'types',
  'breaking',
  'examples',
  'conformance',
  'generated',
  'security',
] as const;

export type StageName = (typeof stageNames)[number];

/** One thing that was tried. */
export interface Case {
  /** A sentence: `createVoucher 404: the body fits its schema`. */
  readonly name: string;
  readonly operationId?: string;
}

/** What was found wrong, for somebody who has not seen the code of the stage. */
export interface Problem {
  readonly what: string;
  /** Where it stands: `openapi.yaml:120:7`. */
  readonly at?: string;
  /** The request that shows it, to paste into a shell. Keys are left out: `$KEY`. */
  readonly curl?: string;
  /** Repeats a generated request. */
  readonly seed?: number;
}

/** A cell of the coverage table. */
export interface Cell {
  readonly operationId: string;
  readonly kind: 'status' | 'parameter' | 'field';
  /** `404`; `query site_id`; `body qos.down`, `201 formatted_code`. */
  readonly name: string;
}

/** Takes down what a stage does. */
export interface Recorder {
  passed(tried: Case): void;
  failed(tried: Case, problem: Problem): void;
  /** Worth reading, and no reason for the run to fail. */
  warned(tried: Case, problem: Problem): void;
  /** Every skip has a reason that a reader understands. */
  skipped(tried: Case, reason: string): void;
  covered(cell: Cell): void;
  /** Can not be tested here, and why. */
  excused(cell: Cell, reason: string): void;
  /** How far the stage is, for the progress bar. */
  progress(done: number, of: number): void;
}

export interface StageContext {
  readonly contract: Contract;
  readonly options: Options;
  readonly recorder: Recorder;
  /** The service under test, started when the first stage asks for it. */
  world(): Promise<World>;
  /** Puts a text of the stage's own beside the reports. */
  attach(file: string, text: string): void;
}

/** One stage of the contract run. What it throws is a failure of the stage. */
export interface Stage {
  readonly name: StageName;
  /** What it looks at, in a few words. */
  readonly title: string;
  run(context: StageContext): Promise<void>;
}
