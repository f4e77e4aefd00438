import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDeps } from './contestants.js';
import type { BenchOptions } from './options.js';
import { startVoucherd } from './processes.js';
import { residentMb } from './processUsage.js';
import type { BenchRequest } from './requests.js';
import { loadFaults } from './verification.js';

/** Resident memory of the service in MiB. */
export interface MemoryResult {
  /** After its start, when nobody has asked for anything but whether it is ready. */
  readonly idleMb: number;
  /** After a minute of load: lists for half of it, then orders. */
  readonly loadedMb: number;
  readonly faults: readonly string[];
}

const idleMs = 5_000;

/** Measures what a service holds before and after load. */
export const measureMemory = async (
  { workspace, generator, data }: BenchDeps,
  requests: readonly BenchRequest[],
  { memorySeconds }: BenchOptions,
): Promise<MemoryResult> => {
  const { url, pid, stop } = await startVoucherd(workspace, await data.copy());
  await sleep(idleMs);
  const idleMb = await residentMb(pid);
  const faults: string[] = [];
  for (const request of requests) {
    const load = await generator.run(url, request, memorySeconds / requests.length);
    faults.push(...loadFaults(load, undefined).map((fault) => `memory, ${request.title}: ${fault}`));
  }
  const loadedMb = await residentMb(pid);
  await stop();
  return { idleMb, loadedMb, faults };
};
