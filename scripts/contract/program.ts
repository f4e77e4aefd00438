import { ContractFileError, loadContractModel, type ContractModel } from './contract.js';
import { readRunOptions, systemSources, type ContractRunOptions } from './options.js';
import { HelpRequested, UsageError } from './options/usageError.js';
import { closingLines, makeProgressBar, stageLines, type Screen } from './report/terminal.js';
import { subject } from './report/wording.js';
import { prepareReports, writeReports } from './report/write.js';
import { makeRedact } from './run/redact.js';
import { isGood } from './run/results.js';
import { runStages, type Listener } from './run/run.js';
import type { Stage } from './stage.js';
import type { StageName } from './stageNames.js';
import type { Target } from './target/target.js';

/** What the program takes from its process. */
export interface ProgramOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly screen: Screen;
  /** Where one line goes when the command line can't be understood. */
  readonly complain: (line: string) => void;
  readonly now: () => number;
  readonly loadStages: (names: readonly StageName[]) => Promise<readonly Stage[]>;
  readonly startTarget: (contract: ContractModel, options: ContractRunOptions) => Promise<Target>;
  /** Is called with what ends the service under test, for a run that is interrupted. */
  readonly onInterrupt: (close: () => Promise<void>) => void;
}

/** `npm run contract`. Resolves with the exit status: 0 good, 1 something is wrong, 2 wrong usage. */
export const runContractProgram = async (program: ProgramOptions): Promise<number> => {
  const { args, env, screen, complain } = program;
  try {
    return await run(readRunOptions(args, { ...systemSources, env }), program);
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

/** What was typed in the wrong place may be a key or an address with a password. */
const withoutSecrets = (message: string): string =>
  makeRedact({ key: undefined, readKey: undefined, limitedKey: undefined })(message).replace(
    /\/\/[^\s/]*@/g,
    '//…@',
  );

const run = async (options: ContractRunOptions, program: ProgramOptions): Promise<number> => {
  const { env, screen, now, loadStages, startTarget, onInterrupt } = program;
  const contract = readContract(options.contract);
  await prepareReports(options.out).catch(() => {
    throw new UsageError(`--out: ${options.out} cannot be written`);
  });
  const target = makeTargetHolder(() =>
    contract instanceof ContractFileError ? Promise.reject(contract) : startTarget(contract, options),
  );
  const interruption = new AbortController();
  // What fails while the service is being stopped is nobody's fault.
  const open: Screen = {
    ...screen,
    write: (text) => !interruption.signal.aborted && screen.write(text),
  };
  onInterrupt(async () => {
    open.write('\nInterrupted: there are no reports.\n');
    interruption.abort();
    await target.close();
  });
  const print = (lines: readonly string[]): void => open.write(`${lines.join('\n')}\n`);
  const version = contract instanceof ContractFileError ? '' : contract.version;
  print([`Contract run: ${subject({ contract: { file: options.contract, version }, url: options.url })}`]);
  try {
    const result = await runStages({
      options,
      contract,
      stages: await loadStages(options.stages),
      target: target.get,
      listener: makeListener(open, options.out, print, now),
      now,
    });
    if (interruption.signal.aborted) return 1;
    await writeReports(result, options.out, env['GITHUB_STEP_SUMMARY']);
    print(closingLines(result, options.out));
    return isGood(result) ? 0 : 1;
  } finally {
    await target.close();
  }
};

const readContract = (file: string): ContractModel | ContractFileError => {
  try {
    return loadContractModel(file);
  } catch (error) {
    if (error instanceof ContractFileError) return error;
    throw new UsageError(`--contract: ${file} cannot be read`);
  }
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
  close(): Promise<void>;
}

const makeTargetHolder = (start: () => Promise<Target>): TargetHolder => {
  let target: Promise<Target> | undefined;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // Its caller already knows why it could not be started.
    const started = await target?.catch(() => undefined);
    await started?.close();
  };
  return {
    get: () => (closed ? Promise.reject(new Error('the run is over')) : (target ??= start())),
    close: () => (closed ??= close()),
  };
};
