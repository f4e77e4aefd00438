/** A clock that stands still until it is moved. */
export interface Clock {
  now(): number;
  advance(ms: number): void;
}

export const makeClock = (start = Date.parse('2026-11-14T09:30:00.000Z')): Clock => {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
};
