import { join } from 'node:path';
import { packageRoot } from '../../../src/lib/packageRoot.js';
import type { Load, LoadGenerator } from './loadGenerator.js';
import { startChildProgram, startVoucherd } from './processes.js';
import type { Commits, CommitsOptions } from './programs/commits.js';
import type { ConventionalOptions } from './programs/conventional.js';
import type { ReplayedAnswer } from './programs/replay.js';
import { sendFirstVariant, type BenchAnswer, type BenchRequest } from './requests.js';
import type { ContestantName } from './results.js';
import { siteCount } from './seed.js';
import type { SeededData } from './seededData.js';
import type { Workspace } from './workspace.js';

/** Somebody who answers the same request, ready to be measured. */
export interface Contestant {
  readonly name: ContestantName;
  readonly pid: number | undefined;
  /** Its answer to the request; a limit that speaks no HTTP has none. */
  answer?(): Promise<BenchAnswer>;
  /** The database it writes to, where it writes. */
  readonly databaseUrl?: string;
  load(seconds: number): Promise<Load>;
  stop(): Promise<void>;
}

export interface BenchDeps {
  readonly workspace: Workspace;
  readonly generator: LoadGenerator;
  readonly data: SeededData;
}

/** Starts all contestants for one request: voucherd, its limit and the conventional way. */
export const startContestants = async (deps: BenchDeps, request: BenchRequest): Promise<Contestant[]> => {
  const voucherd = await voucherdFor(deps, request);
  const limit =
    request.method === 'POST' ? await commits(deps, request) : await replay(deps, request, voucherd);
  return [voucherd, limit, await conventional(deps, request)];
};

const overHttp = (
  { generator }: BenchDeps,
  request: BenchRequest,
  url: string,
): Pick<Required<Contestant>, 'answer' | 'load'> => ({
  answer: () => sendFirstVariant(url, request),
  load: (seconds) => generator.run(url, request, seconds),
});

const voucherdFor = async (deps: BenchDeps, request: BenchRequest): Promise<Contestant> => {
  const copy = await deps.data.copy();
  const { url, pid, stop } = await startVoucherd(deps.workspace, copy);
  return { name: 'voucherd', pid, databaseUrl: copy.databaseUrl, stop, ...overHttp(deps, request, url) };
};

/** node:http sets these by itself, with the same values. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

/** Bare node:http that sends what voucherd has answered, byte for byte. */
const replay = async (deps: BenchDeps, request: BenchRequest, voucherd: Contestant): Promise<Contestant> => {
  const answer = await voucherd.answer?.();
  if (!answer) throw new Error('there is nothing to replay');
  const { status, rawHeaders, body } = answer;
  const headers = rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !ownHeaders.has(name.toLowerCase());
  });
  const recorded = { status, headers, body } satisfies ReplayedAnswer;
  const program = await startChildProgram<string>(deps.workspace, 'replay', recorded);
  return { name: 'limit', pid: program.pid, stop: program.stop, ...overHttp(deps, request, program.ready) };
};

const conventional = async (deps: BenchDeps, request: BenchRequest): Promise<Contestant> => {
  const { databaseUrl } = await deps.data.copy();
  const options = {
    databaseUrl,
    contractFile: join(packageRoot, 'openapi.yaml'),
  } satisfies ConventionalOptions;
  const program = await startChildProgram<string>(deps.workspace, 'conventional', options);
  const { pid, stop, ready: url } = program;
  return { name: 'conventional', pid, databaseUrl, stop, ...overHttp(deps, request, url) };
};

/** The durable commits of a creation, without HTTP. */
const commits = async (
  { workspace, data }: BenchDeps,
  { connections: workers }: BenchRequest,
): Promise<Contestant> => {
  const { databaseUrl } = await data.copy();
  const options = { databaseUrl, workers, sites: siteCount } satisfies CommitsOptions;
  const program = await startChildProgram<string>(workspace, 'commits', options);
  return {
    name: 'limit',
    pid: program.pid,
    databaseUrl,
    load: async (duration) => {
      const { completed, seconds, p50Ms, p99Ms } = await program.ask<Commits>(duration);
      return {
        requestsPerSecond: completed / seconds,
        p50Ms,
        p99Ms,
        completed,
        failures: 0,
        bytesPerAnswer: 0,
      };
    },
    stop: program.stop,
  };
};
