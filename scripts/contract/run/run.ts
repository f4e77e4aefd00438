import { isNativeError } from 'node:util/types';
import { ContractFileError, type ContractModel } from '../contract.js';
import { cellsOf } from '../coverage/cells.js';
import { makeCoverage, type Marks } from '../coverage/coverage.js';
import type { ContractRunOptions } from '../options.js';
import { type Stage } from '../stage.js';
import { stageNames, type StageName } from '../stageNames.js';
import type { Target } from '../target/target.js';
import { makeExcerpt } from './excerpt.js';
import { makeRecording } from './recording.js';
import { makeRedact } from './redact.js';
import type { Attachment, RunResult, StageResult } from './results.js';

/** Hears how the run goes on. */
export interface Listener {
  started(stage: Stage): void;
  progress(stage: Stage, done: number, of: number): void;
  ended(result: StageResult): void;
}

interface StageRunDeps {
  readonly options: ContractRunOptions;
  /** The contract, or why it can't be read. */
  readonly contract: ContractModel | ContractFileError;
  /** In the order in which they run. */
  readonly stages: readonly Stage[];
  readonly target: () => Promise<Target>;
  readonly listener: Listener;
  readonly now: () => number;
}

/** Runs the stages one after the other. A stage that breaks off fails; the others run all the same. */
export const runStages = async (run: StageRunDeps): Promise<RunResult> => {
  const { options, contract, stages, listener, now } = run;
  const startedAt = now();
  const loaded = contract instanceof ContractFileError ? undefined : contract;
  const results: StageResult[] = [];
  const marks: Marks[] = [];
  const attachments: Attachment[] = [];
  const redact = makeRedact(options);
  for (const stage of stages) {
    listener.started(stage);
    const stageStarted = now();
    const recording = makeRecording({
      redact,
      excerpt: makeExcerpt(loaded && { [loaded.file]: loaded.source }),
      now,
      onProgress: (done, of) => listener.progress(stage, done, of),
    });
    await runStage(run, stage, recording.recorder, (file, text) =>
      attachments.push({ file, text: redact(text) }),
    );
    const result = {
      name: stage.name,
      title: stage.title,
      durationMs: now() - stageStarted,
      cases: recording.cases,
      repeat: repeatCommand(stage.name, options),
    };
    results.push(result);
    marks.push(recording.marks);
    listener.ended(result);
  }
  const allMarks = {
    covered: marks.flatMap(({ covered }) => covered),
    excused: marks.flatMap(({ excused }) => excused),
  };
  return {
    contract: { file: options.contract, version: loaded?.version ?? '' },
    url: options.url,
    seed: options.seed,
    startedAt: new Date(startedAt),
    durationMs: now() - startedAt,
    stages: results,
    coverage: makeCoverage(
      loaded ? cellsOf(loaded) : [],
      allMarks,
      loaded !== undefined && stageNames.every((name) => options.stages.includes(name)),
    ),
    attachments,
  };
};

type StageRecorder = ReturnType<typeof makeRecording>['recorder'];

const runStage = async (
  { options, contract, stages, target }: StageRunDeps,
  stage: Stage,
  recorder: StageRecorder,
  attach: (file: string, text: string) => void,
): Promise<void> => {
  if (contract instanceof ContractFileError) {
    const tried = { name: 'the contract can be read' };
    if (stage === stages[0]) recorder.failed(tried, { what: contract.message, at: contract.at });
    else recorder.skipped(tried, 'the contract cannot be read');
    return;
  }
  try {
    await stage.run({ contract, options, recorder, target, attach });
  } catch (error) {
    recorder.failed({ name: 'the stage runs to its end' }, { what: reasonOf(error) });
  }
};

const reasonOf = (error: unknown): string => {
  if (!isNativeError(error)) return String(error);
  const cause = isNativeError(error.cause) ? ` (${error.cause.message})` : '';
  // A slip in a stage's own code is found by its place; what a stage throws on purpose is an Error.
  const place = error.name === 'Error' ? '' : ` ${(error.stack ?? '').split('\n')[1]?.trim() ?? ''}`;
  return `${error.message}${cause}${place}`;
};

/** The command that runs one stage again in the same way. Keys are left out. */
const repeatCommand = (stage: StageName, options: ContractRunOptions): string => {
  const { contract, url, key, readKey, limitedKey, site, allowWrites, against, seed, runs } = options;
  const parts = [
    'npm run contract --',
    stage,
    contract !== 'openapi.yaml' && `--contract ${quoted(contract)}`,
    url !== undefined && `--url ${quoted(url)}`,
    key && '--key-env KEY',
    readKey && '--read-key-env READ_KEY',
    limitedKey && '--limited-key-env LIMITED_KEY',
    site !== undefined && `--site ${site}`,
    url !== undefined && allowWrites && '--allow-writes',
    against !== undefined &&
      stage === 'breaking' &&
      `--against ${quoted(against.replace(/^(https?:[^?]*)\?.*/, '$1?…'))}`,
    stage === 'generated' && `--seed ${seed} --runs ${runs}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(' ');
};

const quoted = (text: string): string =>
  /^[\w./:@~^-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
