/** In how many parts the time is counted. */
const parts = 4;

/**
 * Calls back after some time. While this process is stopped or blocked by other work, a quarter of that time
 * counts at most: what it waits for may have come long ago, and was only not read. Does not keep the process
 * running. Returns a function that cancels it.
 */
export const startRunningTimer = (ms: number, onTime: () => void): (() => void) => {
  let left = parts;
  let timer: NodeJS.Timeout | undefined;
  const countPart = (): void => {
    timer = setTimeout(
      () => {
        left -= 1;
        if (left > 0) countPart();
        else onTime();
      },
      Math.ceil(ms / parts),
    ).unref();
  };
  countPart();
  return () => clearTimeout(timer);
};
