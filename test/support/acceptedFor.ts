import { until } from './until.js';

/**
 * How long after a change the last request was sent that was still accepted, in milliseconds. Twice the time of the
 * slowest request is taken off: a busy machine notices late, too, whatever the service does.
 */
export const acceptedFor = async (
  change: () => Promise<unknown>,
  isAccepted: () => Promise<boolean>,
): Promise<number> => {
  await change();
  const changed = performance.now();
  let [accepted, slowest] = [changed, 0];
  await until('it is refused', async () => {
    const asked = performance.now();
    const refused = !(await isAccepted());
    slowest = Math.max(slowest, performance.now() - asked);
    if (!refused) accepted = asked;
    return refused;
  });
  return accepted - changed - 2 * slowest;
};
