import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { client } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError } from '../../api/queryClient.ts';
import { RoleAndSites } from './RoleAndSites.tsx';
import type { UserDialogProps } from './UserTable.tsx';

/** Changes the role and the sites of a user. */
export const ChangeUserDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const [role, setRole] = useState(user.role);
  const [siteIds, setSiteIds] = useState<readonly number[]>(user.siteIds);
  const change = useSave<undefined>({
    save: () =>
      client.PATCH('/users/{userId}', {
        params: { path: { userId: user.id } },
        body: { ...(role !== user.role && { role }), siteIds: role === 'staff' ? [...siteIds] : [] },
      }),
    done: () => t('users.changed', { name: user.name }),
    outdated: ['/users', '/session'],
    onClose,
  });
  return (
    <Dialog title={t('users.changeName', { name: user.name })} onClose={onClose}>
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
          <Button loading={change.isPending} onClick={() => change.mutate(undefined)}>
            {t('users.save')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
