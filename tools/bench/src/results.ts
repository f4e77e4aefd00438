import type { Load } from './loadGenerator.js';
import type { BenchRequest } from './requests.js';

/** One measurement of one contestant. */
export interface LoadSample extends Load {
  /** Processor time of the contestant per request; 0 where the system does not tell. */
  readonly cpuUs: number;
  readonly memoryMb: number;
}

export interface ContestantResult {
  readonly name: ContestantName;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per request, in microseconds. */
  readonly cpuUs: number;
  /** The most that was resident after any round. */
  readonly memoryMb: number;
  /** Requests per second of each round. */
  readonly rounds: readonly number[];
}

/** One request, measured side by side. */
export interface RequestResult {
  readonly name: BenchRequest['name'];
  readonly title: string;
  readonly contestants: readonly ContestantResult[];
  /** Medians of the ratios within each round: what slows a whole round down changes no ratio. */
  readonly toLimit: number;
  readonly toConventional: number;
  /**
   * The limit's processor time per request divided by voucherd's, the same way. Unlike requests per second, it does not
   * depend on what else the machine does, or on how fast the load generator is.
   */
  readonly cpuToLimit: number;
  /** What makes the figures invalid. */
  readonly faults: readonly string[];
}

/** Makes medians and ratios of the samples of all rounds. */
export const summariseRounds = (
  { name, title }: BenchRequest,
  samples: ReadonlyMap<ContestantName, readonly LoadSample[]>,
  faults: readonly string[],
): RequestResult => {
  const contestants = [...samples].map(([contestant, measured]) => resultOf(contestant, measured));
  const roundsOf = (wanted: ContestantName): readonly number[] =>
    contestants.find((result) => result.name === wanted)?.rounds ?? [];
  const cpuOf = (wanted: ContestantName): number[] => (samples.get(wanted) ?? []).map(({ cpuUs }) => cpuUs);
  const ratioTo = (other: ContestantName): number => medianRatio(roundsOf('voucherd'), roundsOf(other));
  return {
    name,
    title,
    contestants,
    toLimit: ratioTo('limit'),
    toConventional: ratioTo('conventional'),
    cpuToLimit: medianRatio(cpuOf('limit'), cpuOf('voucherd')),
    faults,
  };
};

/** The median of the ratios, round by round. */
export const medianRatio = (values: readonly number[] = [], others: readonly number[] = []): number =>
  median(values.map((value, round) => value / (others[round] ?? 0)));

const resultOf = (name: ContestantName, samples: readonly LoadSample[]): ContestantResult => {
  const rounds = samples.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    name,
    requestsPerSecond: median(rounds),
    p50Ms: median(samples.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(samples.map(({ p99Ms }) => p99Ms)),
    cpuUs: median(samples.map(({ cpuUs }) => cpuUs)),
    memoryMb: Math.max(...samples.map(({ memoryMb }) => memoryMb)),
    rounds,
  };
};

/** The value that a fraction of all values does not exceed; 0 of nothing. */
export const percentile = (values: readonly number[], fraction: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0;
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

export type ContestantName = 'voucherd' | 'limit' | 'conventional';
