import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Without it V8 lets old objects grow to three times what is in use before it collects them. This is the share by which
 * they may grow: under load it costs a little time and spares much memory.
 */
const growthPercent = 50;

/** How many times as large the room for new objects becomes once it is too small, which is what a load shows. */
const roomGrowth = 4;

const roomForNewObjects = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

/**
 * Keeps the heap small. The room for new objects did not grow during the start (`scripts/tasks/program.mjs`); now it may
 * grow once. V8 would let it grow up to 16 times, and keep it.
 */
export const keepHeapSmall = (): void => {
  setFlagsFromString(`--heap-growing-percent=${String(growthPercent)}`);
  setFlagsFromString(`--semi-space-growth-factor=${String(roomGrowth)}`);
  const before = roomForNewObjects();
  const collections = new PerformanceObserver(() => {
    if (roomForNewObjects() < roomGrowth * before) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
};
