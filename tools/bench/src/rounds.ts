import { startContestants, type BenchDeps, type Contestant } from './contestants.js';
import type { BenchOptions } from './options.js';
import { cpuSeconds, residentMb } from './processUsage.js';
import type { BenchRequest } from './requests.js';
import { summariseRounds, type LoadSample, type RequestResult } from './results.js';
import { countRecorded, loadFaults, recordedFaults, verifyAnswers } from './verification.js';

/** A contestant with what is known of it so far. */
interface Entrant {
  readonly contestant: Contestant;
  /** Length of its answer's body; a limit that speaks no HTTP has none. */
  readonly bodyLength: number | undefined;
  readonly samples: LoadSample[];
  /** How many requests it has answered, the warm-up included. */
  answered: number;
}

/** Measures one request in interleaved rounds. */
export const measureRequest = async (
  deps: BenchDeps,
  request: BenchRequest,
  { rounds, seconds, warmUpSeconds }: BenchOptions,
): Promise<RequestResult> => {
  const contestants = await startContestants(deps, request);
  const faults = await verifyAnswers(request, contestants);
  const entrants: Entrant[] = [];
  for (const contestant of contestants) entrants.push(await enter(contestant));

  const measure = async (entrant: Entrant, duration: number): Promise<LoadSample> => {
    const { contestant, bodyLength } = entrant;
    const cpuBefore = await cpuSeconds(contestant.pid);
    const load = await contestant.load(duration);
    const cpuUs = (((await cpuSeconds(contestant.pid)) - cpuBefore) * 1e6) / Math.max(1, load.completed);
    entrant.answered += load.completed;
    const found = loadFaults(load, bodyLength);
    faults.push(...found.map((fault) => `${request.name}, ${contestant.name}: ${fault}`));
    return { ...load, cpuUs, memoryMb: await residentMb(contestant.pid) };
  };
  for (const entrant of entrants) await measure(entrant, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const entrant of rotated(entrants, round)) entrant.samples.push(await measure(entrant, seconds));
  }

  if (request.method === 'POST') faults.push(...(await creationFaults(deps, entrants)));
  for (const { stop } of contestants) await stop();
  const samples = new Map(entrants.map((entrant) => [entrant.contestant.name, entrant.samples]));
  return summariseRounds(request, samples, faults);
};

const enter = async (contestant: Contestant): Promise<Entrant> => {
  const answer = await contestant.answer?.();
  const bodyLength = answer && Buffer.byteLength(answer.body);
  return { contestant, bodyLength, samples: [], answered: 0 };
};

/** Changes the order, so that no contestant is always measured first. */
export const rotated = <T>(items: readonly T[], by: number): T[] => {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
};

const creationFaults = async ({ data }: BenchDeps, entrants: readonly Entrant[]): Promise<string[]> => {
  const before = await countRecorded((await data.copy()).databaseUrl);
  const faults: string[] = [];
  for (const { contestant, answered } of entrants) {
    const { name, databaseUrl } = contestant;
    if (databaseUrl !== undefined)
      faults.push(...recordedFaults(name, before, await countRecorded(databaseUrl), answered));
  }
  return faults;
};
