import type { BenchRequest } from '../requests.js';

export const connections = 32;

/** What came of one contestant under load for some seconds. */
export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly completed: number;
  /** Answers with another status than 2xx, and connections that broke. Any of them makes the figures invalid. */
  readonly failures: number;
  /** Bytes received per answer, headers included; 0 where nothing was received. */
  readonly bytesPerAnswer: number;
}

/** Sends one request again and again over 32 kept connections, from a process of its own. */
export interface LoadGenerator {
  readonly name: 'wrk' | 'autocannon';
  run(url: string, request: BenchRequest, seconds: number): Promise<Load>;
}
