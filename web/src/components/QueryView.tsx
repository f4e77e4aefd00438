import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from './ErrorAlert.tsx';

/** Shorter waits show nothing: a flash is worse than a moment of calm. */
const skeletonDelayMs = 200;

/** The shape of what comes, once a wait has become one. */
export const Waiting = ({ lines = 4 }: { readonly lines?: number }) => {
  const t = useTranslations();
  const [isLong, setLong] = useState(false);
  useTimeout(() => setLong(true), skeletonDelayMs, { autoInvoke: true });
  // Tells tests from the first moment on that something is to come.
  if (!isLong) return <div data-waiting />;
  return (
    <Stack gap="sm" role="status" data-waiting>
      <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={line === 0 ? 28 : 56} width={line === 0 ? '40%' : '100%'} radius="md" />
      ))}
    </Stack>
  );
};

interface QueryViewProps<T> {
  readonly query: Pick<UseQueryResult<T, unknown>, 'data' | 'error' | 'refetch'>;
  readonly lines?: number;
  readonly children: (data: T & {}) => ReactNode;
}

/** Shows what a query answered; until then a skeleton, and an error with what to do. Old data stays during a failure. */
export const QueryView = <T,>({ query, lines = 4, children }: QueryViewProps<T>) => {
  const { data, error, refetch } = query;
  if (data === undefined || data === null)
    return error ? <ErrorAlert error={error} retry={() => void refetch()} /> : <Waiting lines={lines} />;
  return (
    <Stack gap="md">
      {Boolean(error) && <ErrorAlert error={error} retry={() => void refetch()} />}
      {children(data)}
    </Stack>
  );
};
