import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

/** Half a minute is exact enough for "3 minutes ago". */
const tickMs = 30_000;

/** The time of now, again and again. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), tickMs, { autoInvoke: true });
  return now;
};
