import { isNativeError } from 'node:util/types';
import { placeOf, type ContractModel, type UnloadableContract } from '../contract.js';
import type { ContractUnderTest } from '../contracts.js';
import { cellsOf } from '../coverage/cells.js';
import { makeCoverage } from '../coverage/coverage.js';
import { stageNames, thirdPartyStages, type ContractRunOptions, type StageName } from '../options.js';
import type { Recorder, Stage } from '../stage.js';
import type { Target } from '../target/target.js';
import { makeRecording, makeRedact, type KnownCauses, type Recording } from './recording.js';
import type { Attachment, ContractResult, StageResult } from './results.js';

/** Is notified of the progress of the run. */
export interface Listener {
  started(stage: Stage): void;
  progress(stage: Stage, done: number, of: number): void;
  ended(result: StageResult): void;
}

interface ContractRunDeps {
  readonly options: ContractRunOptions;
  readonly served: ContractUnderTest;
  readonly contract: ContractModel | UnloadableContract;
  /** In the order in which they run. */
  readonly stages: readonly Stage[];
  readonly target: () => Promise<Target>;
  /** Those of the contracts before. */
  readonly causes?: KnownCauses;
  readonly listener: Listener;
  readonly now: () => number;
  /** What all processes of the run have used so far. */
  readonly processorMs?: (() => number | undefined) | undefined;
}

/** Runs the stages one after the other on a contract. A stage that breaks off fails; the others run all the same. */
export const runStages = async (
  run: ContractRunDeps,
): Promise<ContractResult & { readonly attachments: readonly Attachment[] }> => {
  const { options, served, contract, stages, listener, now, processorMs, causes = new Map() } = run;
  const loaded = 'error' in contract ? undefined : contract;
  const results: StageResult[] = [];
  const recordings: Recording[] = [];
  const attachments: Attachment[] = [];
  let started: Target | undefined;
  const target = async (): Promise<Target> => (started = await run.target());
  const redact = makeRedact(
    [options.key, options.readKey, options.limitedKey],
    () => started?.keys.all() ?? [],
  );
  for (const stage of stages) {
    listener.started(stage);
    const startedAt = now();
    const usedBefore = processorMs?.();
    const recording = makeRecording({
      stage: stage.name,
      contract,
      redact,
      causes,
      now,
      onProgress: (done, of) => listener.progress(stage, done, of),
    });
    await runStage({ ...run, target }, stage, recording, (file, text) =>
      attachments.push({ file, text: redact(text) }),
    );
    const result = {
      name: stage.name,
      title: stage.title,
      durationMs: now() - startedAt,
      processorMs: usedSince(usedBefore, processorMs),
      cases: recording.cases,
      repeat: repeatCommand(stage.name, served, options),
    };
    results.push(result);
    recordings.push(recording);
    listener.ended(result);
  }
  const marks = {
    covered: recordings.flatMap(({ marks: { covered } }) => covered),
    excused: recordings.flatMap(({ marks: { excused } }) => excused),
  };
  const needed = served.thirdParty ? thirdPartyStages : stageNames;
  const isComplete = needed.every((name) => options.stages.includes(name));
  const cells = loaded ? cellsOf(loaded) : [];
  // Excuses of the stages come later, and win.
  if (served.thirdParty) marks.excused.unshift(...cells.map((cell) => ({ cell, reason: notSeen })));
  return {
    name: served.name,
    file: served.file,
    version: loaded?.version ?? '',
    stages: results,
    coverage: makeCoverage(cells, marks, loaded !== undefined && isComplete),
    attachments,
  };
};

/** The processor time since then. */
export const usedSince = (
  before: number | undefined,
  processorMs: ContractRunDeps['processorMs'],
): number | undefined => {
  const used = processorMs?.();
  return used === undefined || before === undefined ? undefined : used - before;
};

/** Nobody can know all of a service of others. */
const notSeen = 'nothing that was sent led to it; --scenarios can show how';

const runStage = async (
  { options, served, contract, stages, target }: ContractRunDeps,
  stage: Stage,
  { recorder, cases }: Recording,
  attach: (file: string, text: string) => void,
): Promise<void> => {
  const runOn = (model: ContractModel): Promise<void> =>
    stage.run({ served, contract: model, options, recorder, target, attach });
  if ('error' in contract) {
    const isKnown = (): boolean => cases.some(({ outcome }) => outcome === 'failed');
    // Lint needs only the text, and may say more of what is wrong with it.
    if (stage.name === 'lint') await runOn(unloaded(contract)).catch(() => undefined);
    if (stage === stages[0] && !isKnown()) failLoading(recorder, contract);
    else if (stage !== stages[0])
      recorder.skipped({ name: 'the contract can be loaded' }, 'the contract cannot be loaded');
    return;
  }
  if (stage === stages[0])
    for (const reason of contract.leftOut ?? [])
      recorder.skipped({ name: 'every operation is tested' }, reason);
  try {
    await runOn(contract);
  } catch (error) {
    // What ends one stage ends all that need the same.
    recorder.failed(
      { name: 'the stage runs to its end' },
      { what: reasonOf(error), cause: `end: ${String(error)}` },
    );
  }
};

const failLoading = (recorder: Recorder, { error: { what, position } }: UnloadableContract): void =>
  recorder.failed({ name: 'the contract can be loaded' }, { what, at: placeOf(position) });

/** A contract of which only the text is known. */
const unloaded = ({ file, source, error }: UnloadableContract): ContractModel => ({
  file,
  source,
  version: '',
  operations: [],
  examples: [],
  get loaded(): never {
    throw error;
  },
  operation: () => {
    throw error;
  },
  at: () => `${file}:1:1`,
});

const reasonOf = (error: unknown): string => {
  if (!isNativeError(error)) return String(error);
  const cause = isNativeError(error.cause) ? ` (${error.cause.message})` : '';
  // A slip in a stage's own code is found by its place; what a stage throws on purpose is an Error.
  const place = error.name === 'Error' ? '' : ` ${(error.stack ?? '').split('\n')[1]?.trim() ?? ''}`;
  return `${error.message}${cause}${place}`;
};

/** The command that runs one stage again in the same way. Keys are left out. */
const repeatCommand = (
  stage: StageName,
  { file }: ContractUnderTest,
  options: ContractRunOptions,
): string => {
  const { url, allowWrites, against, seed, runs, command } = options;
  const isOther = options.contracts.length > 1 || !options.servedFiles.includes(file);
  const parts = [
    command.program,
    stage,
    isOther && `--contract ${quoted(file)}`,
    url !== undefined && `--url ${quoted(url)}`,
    ...command.options,
    url !== undefined && allowWrites && '--allow-writes',
    against !== undefined &&
      stage === 'breaking' &&
      `--against ${quoted(against.replace(/^(https?:[^?]*)\?.*/, '$1?…'))}`,
    stage === 'generated' && `--seed ${seed} --runs ${runs}`,
    stage === 'sequences' && `--seed ${seed}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(' ');
};

/** A text as one word of a shell. */
export const quoted = (text: string): string =>
  /^[\w./:@~^-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
