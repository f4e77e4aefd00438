import { useEffect, useState } from 'react';

/** Half a minute is exact enough for "3 minutes ago". */
const tickMs = 30_000;

/** The time of now, again and again. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};
