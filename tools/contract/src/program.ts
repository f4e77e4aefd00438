import { loadContractModel, type ContractModel, type UnloadableContract } from './contract.js';
import type { ContractUnderTest, ServedContracts } from './contracts.js';
import { readRunOptions, type ContractRunOptions, type StageName } from './options.js';
import { makeProgressBar, type Screen } from './report/progressBar.js';
import { closingLines, planLines, stageLines } from './report/terminal.js';
import { subject } from './report/wording.js';
import { prepareReports, writeReports } from './report/write.js';
import { makeRedact, type KnownCauses } from './run/recording.js';
import { isGood, type ContractResult, type RunResult } from './run/results.js';
import { runStages, usedSince, type Listener } from './run/run.js';
import { HelpRequested, UsageError } from './secret.js';
import type { Stage } from './stage.js';
import { noBudget } from './target/budget.js';
import type { Target } from './target/target.js';

/** What the program takes from its process. */
export interface ProgramOptions {
  /** What it judges unless the command line names others. */
  readonly served: ServedContracts;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly screen: Screen;
  /** Where one line goes when the command line can't be understood. */
  readonly complain: (line: string) => void;
  readonly now: () => number;
  /** The processor time of the run so far, where it is known. */
  readonly processorMs?: () => number | undefined;
  readonly loadStages: (names: readonly StageName[]) => Promise<readonly Stage[]>;
  readonly startTarget: (
    served: ContractUnderTest,
    contract: ContractModel,
    options: ContractRunOptions,
  ) => Promise<Target>;
  /** Is called with what ends the service under test, for a run that is interrupted. */
  readonly onInterrupt: (close: () => Promise<void>) => void;
}

/** `npm run contract`. Resolves with the exit status: 0 good, 1 something is wrong, 2 wrong usage. */
export const runContractProgram = async (program: ProgramOptions): Promise<number> => {
  const { served, args, env, screen, complain } = program;
  try {
    const result = await runContracts(readRunOptions(args, { served, env }), program);
    return result && isGood(result) ? 0 : 1;
  } catch (error) {
    if (error instanceof HelpRequested) {
      screen.write(error.message);
      return 0;
    }
    if (!(error instanceof UsageError)) throw error;
    complain(`npm run contract: ${withoutSecrets(error.message)}`);
    return 2;
  }
};

/** What a run takes from its process. */
export type RunDeps = Pick<
  ProgramOptions,
  'env' | 'screen' | 'now' | 'processorMs' | 'loadStages' | 'startTarget' | 'onInterrupt'
>;

/** What was typed in the wrong place may be a key or an address with a password. */
const withoutSecrets = (message: string): string => makeRedact([])(message).replace(/\/\/[^\s/]*@/g, '//…@');

/** Runs the stages on each contract. Resolves with nothing when it was interrupted. Throws `UsageError`. */
export const runContracts = async (
  options: ContractRunOptions,
  deps: RunDeps,
): Promise<RunResult | undefined> => {
  const { env, screen, now, processorMs, loadStages, startTarget, onInterrupt } = deps;
  const contracts = options.contracts.map((served) => ({ served, contract: readContract(served) }));
  await prepareReports(options.out).catch(() => {
    throw new UsageError(`--out: ${options.out} cannot be written`);
  });
  const interruption = new AbortController();
  // What fails while the service is being stopped is nobody's fault.
  const open: Screen = {
    ...screen,
    write: (text) => !interruption.signal.aborted && screen.write(text),
  };
  let current: TargetHolder | undefined;
  onInterrupt(async () => {
    open.write('\nInterrupted: there are no reports.\n');
    interruption.abort();
    await current?.close();
  });
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) open.write(`${lines.join('\n')}\n`);
  };
  const stages = await loadStages(options.stages);
  const startedAt = now();
  const usedBefore = processorMs?.();
  const results: Awaited<ReturnType<typeof runStages>>[] = [];
  let sentRequests = 0;
  const madeVouchers: string[] = [];
  const causes: KnownCauses = new Map();
  for (const { served, contract } of contracts) {
    const version = 'error' in contract ? '' : contract.version;
    print([`Contract run: ${subject({ file: served.file, version }, options.url, options.stages)}`]);
    const target = makeTargetHolder(() =>
      'error' in contract ? Promise.reject(contract.error) : startTarget(served, contract, options),
    );
    current = target;
    try {
      print(await planOf(contract, stages, options, target));
      const listener = makeListener(open, options.out, print, now);
      results.push(
        await runStages({
          options,
          served,
          contract,
          stages,
          causes,
          listener,
          now,
          processorMs,
          target: target.get,
        }),
      );
      if (interruption.signal.aborted) return undefined;
      const { budget = noBudget } = (await target.started()) ?? {};
      sentRequests += budget.sent();
      madeVouchers.push(...budget.made());
    } finally {
      await target.close();
    }
  }
  const result: RunResult = {
    url: options.url,
    seed: options.seed,
    startedAt: new Date(startedAt),
    durationMs: now() - startedAt,
    processorMs: usedSince(usedBefore, processorMs),
    contracts: results satisfies ContractResult[],
    attachments: results.flatMap(({ attachments }) => attachments),
    sentRequests,
    madeVouchers,
    thirdParty: options.contracts.some(({ thirdParty }) => thirdParty),
  };
  await writeReports(result, options.out, env['GITHUB_STEP_SUMMARY']);
  print(closingLines(result, options.out));
  return result;
};

const readContract = ({
  file,
  thirdParty = false,
}: ContractUnderTest): ContractModel | UnloadableContract => {
  try {
    return loadContractModel(file, { thirdParty });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Anything else is a mistake of ours, and no reason to look for the file.
    if (code === undefined) throw error;
    throw new UsageError(`--contract: ${file} cannot be read (${code})`);
  }
};

/** What a service that somebody else runs will get, before it gets it. */
const planOf = async (
  contract: ContractModel | UnloadableContract,
  stages: readonly Stage[],
  options: ContractRunOptions,
  holder: TargetHolder,
): Promise<string[]> => {
  if (options.url === undefined || 'error' in contract || !stages.some(({ estimate }) => estimate)) return [];
  // The stages say why it could not be started.
  const target = await holder.get().catch(() => undefined);
  if (!target) return [];
  const estimates = stages.flatMap((stage) =>
    stage.estimate ? [{ stage: stage.name, ...stage.estimate(contract, target, options) }] : [],
  );
  return planLines(estimates, target.budget, target);
};

const makeListener = (
  screen: Screen,
  out: string,
  print: (lines: readonly string[]) => void,
  now: () => number,
): Listener => {
  const bar = makeProgressBar(screen, now);
  return {
    started: ({ name }) => bar.show(name, 0, 0),
    progress: ({ name }, done, of) => bar.show(name, done, of),
    ended: (result) => {
      bar.clear();
      print(stageLines(result, out));
    },
  };
};

/** The one service under test: started when it is first asked for, closed once. */
interface TargetHolder {
  get(): Promise<Target>;
  /** The service, if it was asked for and could be started. */
  started(): Promise<Target | undefined>;
  close(): Promise<void>;
}

const makeTargetHolder = (start: () => Promise<Target>): TargetHolder => {
  let target: Promise<Target> | undefined;
  let closed: Promise<void> | undefined;
  // Its caller already knows why it could not be started.
  const started = async (): Promise<Target | undefined> => target?.catch(() => undefined);
  const close = async (): Promise<void> => (await started())?.close();
  return {
    get: () => (closed ? Promise.reject(new Error('the run is over')) : (target ??= start())),
    started,
    close: () => (closed ??= close()),
  };
};
