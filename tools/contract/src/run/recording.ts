import { readFileSync } from 'node:fs';
import type { Marks } from '../coverage/coverage.js';
import type { StageName } from '../options.js';
import type { Secret } from '../secret.js';
import type { Key } from '../target/keys.js';
import type { Case, Recorder, StageProblem } from '../stage.js';
import type { Cell } from '../coverage/cells.js';
import type { CaseOfStage, CaseResult, FoundProblem } from './results.js';

/** Takes keys out of a text that people will read. */
export type Redact = (text: string) => string;

/** What a key of the service looks like. */
const anyKey = /\buvt_[0-9a-f]{8,}/gi;

/** Knows the keys that the run was given, those that it makes, and what keys of the service look like. */
export const makeRedact = (
  given: readonly (Secret | undefined)[],
  made: () => readonly Pick<Key, 'text'>[] = () => [],
): Redact => {
  const known = (): string[] => [
    ...given.flatMap((key) => (key ? [key()] : [])),
    ...made().map((key) => key.text()),
  ];
  // Every name of a case is looked through.
  const encodings = new Map<string, readonly string[]>();
  const encoded = (secret: string): readonly string[] => {
    const all = encodings.get(secret) ?? [
      ...new Set([secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)]),
    ];
    encodings.set(secret, all);
    return all;
  };
  return (text) =>
    known()
      .flatMap(encoded)
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '$KEY'), text)
      .replace(anyKey, '$KEY');
};

/** The causes of failures that are known so far, over all stages, with the cases that they were seen in. */
export type KnownCauses = Map<string, { readonly first: CaseOfStage; readonly later: CaseOfStage[] }>;

export interface RecordingOptions {
  readonly stage: StageName;
  /** Its text is at hand already. */
  readonly contract: { readonly file: string; readonly source: string };
  readonly redact: Redact;
  readonly causes: KnownCauses;
  readonly now: () => number;
  readonly onProgress: (done: number, of: number) => void;
}

/** What one stage takes down: a recorder for the stage, and what came of it for the frame. */
export interface Recording {
  readonly recorder: Recorder;
  readonly cases: readonly CaseResult[];
  readonly marks: Marks;
}

/** A case takes as long as it was since the one before. */
export const makeRecording = (options: RecordingOptions): Recording => {
  const { stage, contract, redact, causes, now, onProgress } = options;
  const cases: CaseResult[] = [];
  const covered: Cell[] = [];
  const excused: { cell: Cell; reason: string }[] = [];
  let last = now();

  const take = (
    { name, operationId }: Case,
    rest: Omit<CaseResult, 'name' | 'operationId' | 'durationMs'>,
  ): void => {
    const time = now();
    const named = { name: redact(name), ...(operationId !== undefined && { operationId }) };
    cases.push({ ...named, ...rest, durationMs: time - last });
    last = time;
  };
  const found = ({ what, at, curl, seed }: StageProblem): FoundProblem => {
    const line = at === undefined ? undefined : lineAt(at, contract);
    return {
      what: redact(what),
      ...(at !== undefined && { at }),
      ...(line !== undefined && { line: redact(line) }),
      ...(curl !== undefined && { curl: redact(curl) }),
      ...(seed !== undefined && { seed }),
    };
  };
  /** Puts a failure under the first one with the same cause. */
  const related = (
    name: string,
    cause: StageProblem['cause'] = [],
  ): Pick<CaseResult, 'sameAs' | 'alsoSeenIn'> => {
    const possible = [cause].flat();
    if (possible.length === 0) return {};
    const own = { stage, name: redact(name) };
    const known = possible.map((one) => causes.get(one)).find((one) => one !== undefined);
    const failures = known ?? { first: own, later: [] };
    for (const one of possible) if (!causes.has(one)) causes.set(one, failures);
    if (!known) return { alsoSeenIn: failures.later };
    known.later.push(own);
    return { sameAs: known.first };
  };

  return {
    recorder: {
      passed: (tried) => take(tried, { outcome: 'passed' }),
      failed: (tried, problem) =>
        take(tried, { outcome: 'failed', problem: found(problem), ...related(tried.name, problem.cause) }),
      warned: (tried, problem) => take(tried, { outcome: 'warned', problem: found(problem) }),
      skipped: (tried, reason) => take(tried, { outcome: 'skipped', reason: redact(reason) }),
      covered: (cell) => covered.push(cell),
      excused: (cell, reason) => excused.push({ cell, reason: redact(reason) }),
      progress: onProgress,
    },
    cases,
    marks: { covered, excused },
  };
};

/** Longer lines say no more. */
const longestLine = 200;

/** The line of a place like `openapi.yaml:120:7`, without the white space around it. */
const lineAt = (at: string, contract: RecordingOptions['contract']): string | undefined => {
  const [, file = '', line] = /^(.+?):(\d+)(?::\d+)?$/.exec(at) ?? [];
  const whole = file === contract.file ? contract.source : readText(file);
  const text = whole.split('\n')[Number(line) - 1]?.trim();
  return text && text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
