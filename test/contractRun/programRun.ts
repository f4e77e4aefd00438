import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runContractProgram, type ProgramOptions } from '../../tools/contract/src/program.js';
import type { Stage, StageContext } from '../../tools/contract/src/stage.js';
import type { StageName } from '../../tools/contract/src/options.js';
import { noBudget } from '../../tools/contract/src/target/budget.js';
import type { Keys } from '../../tools/contract/src/target/keys.js';
import type { Target } from '../../tools/contract/src/target/target.js';
import { servedContracts } from '../scenarios/servedContracts.js';

/** What a run of the program left. */
export interface ProgramRun {
  readonly status: number;
  readonly printed: string;
  readonly complaints: readonly string[];
  report(file: string): string;
  has(file: string): boolean;
}

/** A stage that does what a test says. */
export const fakeStage = (name: StageName, run: (context: StageContext) => Promise<void> | void): Stage => ({
  name,
  title: `what ${name} looks at`,
  run: async (context) => run(context),
});

/** A clock that moves by half a second at every look. */
const steadyClock = (): (() => number) => {
  let time = Date.UTC(2026, 10, 14, 9, 30);
  return () => (time += 500);
};

/** Runs the whole program in this process, with stages of the test's own. */
export const runProgramWith = async (
  folder: string,
  stages: readonly Stage[],
  args: readonly string[] = [],
  more: Partial<ProgramOptions> = {},
): Promise<ProgramRun> => {
  const printed: string[] = [];
  const complaints: string[] = [];
  const out = join(folder, 'report');
  // One contract, unless the test is about others.
  const contract = args.includes('--contract') ? [] : ['--contract', 'openapi.yaml'];
  const status = await runContractProgram({
    served: servedContracts,
    args: ['--out', out, '--seed', '42', ...contract, ...args],
    env: {},
    screen: { isTerminal: false, columns: 80, write: (text) => printed.push(text) },
    complain: (line) => complaints.push(line),
    now: steadyClock(),
    loadStages: async (names) => stages.filter(({ name }) => names.includes(name)),
    startTarget: () => Promise.reject(new Error('this test has no service')),
    onInterrupt: () => undefined,
    ...more,
  });
  return {
    status,
    printed: printed.join(''),
    complaints,
    report: (file) => readFileSync(join(out, file), 'utf8'),
    has: (file) => existsSync(join(out, file)),
  };
};

/** A target of which only the end matters. */
export const fakeTarget = (close: () => void = () => undefined): Target =>
  ({
    url: 'http://localhost:3000',
    budget: noBudget,
    keys: { all: () => [] } as Partial<Keys>,
    close: async () => close(),
  }) as Target;
