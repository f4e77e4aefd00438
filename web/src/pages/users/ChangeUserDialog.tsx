import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { RoleAndSites } from './RoleAndSites.tsx';
import { UserModal, type UserDialogProps } from './UserDialog.tsx';

/** Changes the role and the sites of a user. */
export const ChangeUserDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const [role, setRole] = useState(user.role);
  const [siteIds, setSiteIds] = useState<readonly number[]>(user.siteIds);
  const change = api.useMutation('patch', '/users/{userId}', {
    onSuccess: async () => {
      notify.done(t('users.changed', { name: user.name }));
      await invalidate('/users', '/session');
      onClose();
    },
  });
  const save = (): void =>
    change.mutate({
      params: { path: { userId: user.id } },
      body: { ...(role !== user.role && { role }), siteIds: role === 'staff' ? [...siteIds] : [] },
    });
  return (
    <UserModal title={t('users.changeName', { name: user.name })} onClose={onClose}>
      <Stack>
        <RoleAndSites
          role={role}
          siteIds={siteIds}
          onRole={(chosen) => {
            forgetError(change);
            setRole(chosen);
          }}
          onSites={(chosen) => {
            forgetError(change);
            setSiteIds(chosen);
          }}
        />
        {role !== user.role && (
          <Text size="sm" c="dimmed">
            {t('users.roleEndsSessions')}
          </Text>
        )}
        {change.error && <ErrorAlert error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button loading={change.isPending} onClick={save}>
            {t('users.save')}
          </Button>
        </Group>
      </Stack>
    </UserModal>
  );
};
