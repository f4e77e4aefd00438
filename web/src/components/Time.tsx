import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useFormat } from '../format.ts';

/** Half a minute is exact enough for "3 minutes ago". */
const tickMs = 30_000;

const useNow = (): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/** How long ago something was, or when it will be; the exact time on pointing. Without a time, the given text. */
export const Time = ({
  at,
  none = '–',
}: {
  readonly at: string | null | undefined;
  readonly none?: string;
}) => {
  const format = useFormat();
  const now = useNow();
  if (at == null) return <span>{none}</span>;
  return (
    <Tooltip label={format.dateTime(at)}>
      <time dateTime={at}>{format.relative(at, now)}</time>
    </Tooltip>
  );
};
