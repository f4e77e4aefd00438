import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, client } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Time } from '../../components/Time.tsx';
import { focusIfLost } from '../../lib/focus.ts';
import { useNotify } from '../../notify/notify.tsx';
import { useGuestRequests } from '../../session/guestRequests.ts';
import classes from './GuestRequests.module.css';

type GuestRequest = Schemas['GuestRequest'];

/** Guests who wait for staff to agree. Nothing is shown while there are none. */
export const GuestRequests = () => {
  const t = useTranslations();
  const requests = useGuestRequests();
  const section = useRef<HTMLElement>(null);
  // A request takes its buttons with it. The next one's must not get the focus: a second Enter would decide on it.
  useEffect(() => focusIfLost(section.current));
  return (
    // Always there, so that screen readers announce what comes.
    <section
      ref={section}
      tabIndex={-1}
      className={classes['section']}
      aria-live="polite"
      aria-label={t('desk.guestRequests')}
    >
      {requests.length > 0 && (
        <Paper withBorder p="md" mb="lg">
          <Group mb="sm" gap="xs">
            <Title order={2} size="h4">
              {t('desk.guestRequests')}
            </Title>
            <Badge variant="light">{requests.length}</Badge>
          </Group>
          <ul className={classes['requests']}>
            {requests.map((request) => (
              <li key={request.id}>
                <Request request={request} />
              </li>
            ))}
          </ul>
        </Paper>
      )}
    </section>
  );
};

const Request = ({ request }: { readonly request: GuestRequest }) => {
  const t = useTranslations();
  const notify = useNotify();
  const name = request.name || t('desk.guestWithoutName');
  const decide = useMutation({
    mutationFn: (isApproved: boolean) =>
      client.POST('/guest-requests/{orderId}/decision', {
        params: { path: { orderId: request.id } },
        body: { isApproved },
      }),
    onSuccess: (_answer, isApproved) =>
      notify.done(isApproved ? t('desk.guestApproved', { name }) : t('desk.guestRefused', { name })),
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) notify.unsure(t('desk.guestGone', { name }));
      else notify.failed(error);
    },
    onSettled: () => invalidate('/guest-requests', '/vouchers'),
  });
  return (
    <Group justify="space-between" gap="sm">
      <div className={classes['words']}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {[request.siteName, request.profileName].join(' · ')} · <Time at={request.createdAt} />
        </Text>
      </div>
      <Group gap="xs">
        <Button
          loading={decide.isPending && decide.variables}
          disabled={decide.isPending}
          aria-label={t('desk.guestApproveOf', { name })}
          onClick={() => decide.mutate(true)}
        >
          {t('desk.guestApprove')}
        </Button>
        <Button
          variant="default"
          loading={decide.isPending && !decide.variables}
          disabled={decide.isPending}
          aria-label={t('desk.guestRefuseOf', { name })}
          onClick={() => decide.mutate(false)}
        >
          {t('desk.guestRefuse')}
        </Button>
      </Group>
    </Group>
  );
};
