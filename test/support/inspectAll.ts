import { inspect } from 'node:util';

/** All that a value shows of itself, with its private parts: where a secret could be. */
export const inspectAll = (value: unknown): string =>
  inspect(value, {
    depth: null,
    showHidden: true,
    getters: true,
    maxStringLength: null,
    maxArrayLength: null,
  });

/** What each piece of work returns or throws, one after the other. */
export const outcomesOf = async (works: readonly (() => Promise<unknown>)[]): Promise<unknown[]> => {
  const outcomes: unknown[] = [];
  for (const work of works) outcomes.push(await work().catch((error: unknown) => error));
  return outcomes;
};
