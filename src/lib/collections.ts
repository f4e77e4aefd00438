import { setImmediate as everybodyElse } from 'node:timers/promises';

/** Groups in order of first appearance. (`Map.groupBy` came with Node 21.) */
export const groupBy = <T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** Those that pass, and the others. */
export const partition = <T>(items: readonly T[], passes: (item: T) => boolean): [T[], T[]] => [
  items.filter(passes),
  items.filter((item) => !passes(item)),
];

const collator = new Intl.Collator('de', { numeric: true });

/** The order of names in lists: as people sort them, and by id where they are equal. */
export const compareNames = (
  a: { readonly name: string; readonly id: number },
  b: { readonly name: string; readonly id: number },
): number => collator.compare(a.name, b.name) || a.id - b.id;

/**
 * Takes what another server lists in batches, so that it is never held as a whole, and lets everybody else
 * have their turn between two of them. Once the signal is aborted it throws the reason, even when the list
 * hangs.
 */
export const readInBatches = async function* <T>(
  list: AsyncIterable<T>,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<T[], void, void> {
  const items = list[Symbol.asyncIterator]();
  let giveUp = (_reason: unknown): void => undefined;
  const aborted = (): void => giveUp(signal.reason);
  signal.addEventListener('abort', aborted);
  // Not a race with one promise for all: each item would leave its mark on it until the end.
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      if (signal.aborted) aborted();
      else items.next().then(resolve, reject);
    });
  let ended = false;
  try {
    let batch: T[] = [];
    while (!ended) {
      const item = await next();
      ended = item.done === true;
      if (item.done !== true) batch.push(item.value);
      if (batch.length < size && (!ended || batch.length === 0)) continue;
      yield batch;
      batch = [];
      await everybodyElse();
    }
  } finally {
    signal.removeEventListener('abort', aborted);
    // Not waited for: a list that hangs would not hear it.
    if (!ended) items.return?.().catch(() => undefined);
  }
};
