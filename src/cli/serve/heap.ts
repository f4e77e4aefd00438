// Loaded before V8's flags are changed: Node stores compiled code of its modules for the usual flags only.
import 'node:cluster';
import 'node:https';
import 'node:worker_threads';
import 'node:zlib';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The share by which the old generation may grow before V8 collects it; by default it may grow to three times its size. */
const oldGrowthPercent = 50;

/** How large the new space may become. By default it grows to 32 MiB, from Node 24 on further, and seldom shrinks again. */
const maxNewSpaceBytes = 8 * 1024 * 1024;

const newSpaceBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

/** On the command line V8 takes no factor below 2; set later, 1 keeps the new space as it is. */
const setNewSpaceGrowth = (factor: 1 | 2): void => {
  setFlagsFromString(`--semi-space-growth-factor=${String(factor)}`);
};

const setOptimising = (isOn: boolean): void => {
  setFlagsFromString(isOn ? '--opt' : '--no-opt');
};

interface HeapGrowth {
  /** To be called once the service has started. */
  started(): void;
}

/**
 * Keeps V8's heap small, at the price of more collections under load. During the start the new space does not grow at
 * all: V8 would keep the size that only the start needs. After it, it grows up to its limit, usually: V8's flags are set
 * after a turn of the event loop in which it was collected.
 *
 * Nor does TurboFan, V8's last compiler, optimise anything during the start: what it needs for that, 5 MiB, is not given
 * back, and most of what a start does is not done again.
 */
export const limitHeapGrowth = (): HeapGrowth => {
  let factor: 1 | 2 = 1;
  setNewSpaceGrowth(factor);
  setOptimising(false);
  const adjust = (): void => {
    const wanted = newSpaceBytes() < maxNewSpaceBytes ? 2 : 1;
    if (wanted !== factor) setNewSpaceGrowth((factor = wanted));
  };
  return {
    started: () => {
      setOptimising(true);
      setFlagsFromString(`--heap-growing-percent=${String(oldGrowthPercent)}`);
      adjust();
      new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] });
    },
  };
};
