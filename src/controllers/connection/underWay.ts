/** Knows what is under way. */
export interface UnderWay {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all of it has ended, well or not. */
  over(): Promise<void>;
}

export const makeUnderWay = (): UnderWay => {
  const works = new Set<Promise<unknown>>();
  return {
    track: (work) => {
      const ended: Promise<unknown> = work.then(
        () => works.delete(ended),
        () => works.delete(ended),
      );
      works.add(ended);
      return work;
    },
    over: async () => {
      await Promise.all(works);
    },
  };
};
