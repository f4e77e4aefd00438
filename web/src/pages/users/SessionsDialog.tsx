import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import { QueryView, Waiting } from '../../components/QueryView.tsx';
import { SessionTable } from '../../components/SessionTable.tsx';
import { PageTexts } from '../../i18n/pageTexts.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import type { UserDialogProps } from './UserTable.tsx';

/** Where a user is signed in; all of it can be ended at once. */
export const SessionsDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const params = { path: { userId: user.id } };
  const sessions = api.useQuery('get', '/users/{userId}/sessions', { params });
  const end = api.useMutation('delete', '/users/{userId}/sessions', {
    onSuccess: () => notify.done(t('users.sessionsEnded', { name: user.name })),
    onError: notify.failed,
    onSettled: () => invalidate('/users/{userId}/sessions'),
  });
  return (
    <Dialog title={t('users.sessionsOf', { name: user.name })} size="xl" onClose={onClose}>
      <QueryView query={sessions} lines={3}>
        {(data) =>
          data.sessions.length === 0 ? (
            <Text c="dimmed">{t('users.noSessions')}</Text>
          ) : (
            <Stack>
              <PageTexts group="account" waiting={<Waiting lines={3} />}>
                <SessionTable sessions={data.sessions} />
              </PageTexts>
              <Group justify="flex-end">
                <Button variant="default" loading={end.isPending} onClick={() => end.mutate({ params })}>
                  {t('users.endSessions')}
                </Button>
              </Group>
            </Stack>
          )
        }
      </QueryView>
    </Dialog>
  );
};
