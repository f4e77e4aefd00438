import { useFormat } from '../i18n/format.ts';
import { useNow } from '../lib/useNow.ts';

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
    <time dateTime={at} title={format.dateTime(at)}>
      {format.relative(at, now)}
    </time>
  );
};
