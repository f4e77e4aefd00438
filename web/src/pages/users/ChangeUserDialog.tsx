import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { NameAndEmail } from '../../components/NameAndEmail.tsx';
import { client } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError } from '../../api/queryClient.ts';
import { RoleAndSites } from './RoleAndSites.tsx';
import type { UserDialogProps } from './UserTable.tsx';

/** Changes name, e-mail address, role and sites of a user. */
export const ChangeUserDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const form = useForm({
    initialValues: {
      name: user.name,
      email: user.email ?? '',
      role: user.role,
      siteIds: [...user.siteIds],
    },
    onValuesChange: () => forgetError(change),
  });
  /** What somebody else has changed meanwhile stays. */
  const hasOtherSites = (role: string, siteIds: readonly number[]): boolean =>
    role !== user.role || siteIds.toSorted().join() !== user.siteIds.toSorted().join();
  const change = useSave<typeof form.values>({
    save: ({ name, email, role, siteIds }) =>
      client.PATCH('/users/{userId}', {
        params: { path: { userId: user.id } },
        body: {
          ...(name !== user.name && { name }),
          ...(email !== (user.email ?? '') && { email: email.trim() || null }),
          ...(role !== user.role && { role }),
          ...(hasOtherSites(role, siteIds) && { siteIds: role === 'admin' ? [] : siteIds }),
        },
      }),
    done: ({ name }) => t('users.changed', { name }),
    outdated: ['/users', '/session'],
    onClose,
  });
  const { role, siteIds } = form.values;
  return (
    <Dialog title={t('users.changeName', { name: user.name })} onClose={onClose}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack>
          <NameAndEmail name={form.getInputProps('name')} email={form.getInputProps('email')} />
          <RoleAndSites
            role={role}
            siteIds={siteIds}
            onRole={(chosen) => form.setFieldValue('role', chosen)}
            onSites={(chosen) => form.setFieldValue('siteIds', chosen)}
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
            <Button type="submit" loading={change.isPending}>
              {t('users.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
