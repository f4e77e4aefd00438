import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { NameAndEmail } from '../../components/NameAndEmail.tsx';
import { RoleAndSites } from './RoleAndSites.tsx';
import { TemporaryPassword } from './TemporaryPassword.tsx';

interface NewUserValues {
  name: string;
  email: string;
  role: Schemas['Role'];
  siteIds: number[];
}

/** Creates a user, and shows the password that they begin with. */
export const CreateUserDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations();
  const create = api.useMutation('post', '/users', { onSuccess: () => invalidate('/users') });
  const form = useForm<NewUserValues>({
    initialValues: { name: '', email: '', role: 'staff', siteIds: [] },
    onValuesChange: () => forgetError(create),
  });
  const submit = form.onSubmit(({ name, email, role, siteIds }) =>
    create.mutate({
      body: { name, email: email.trim() || null, role, siteIds: role === 'admin' ? [] : siteIds },
    }),
  );
  if (create.data)
    return (
      <Dialog title={t('users.created', { name: create.data.user.name })} guard="key" onClose={onClose}>
        <TemporaryPassword password={create.data.password} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t('users.create')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <NameAndEmail name={form.getInputProps('name')} email={form.getInputProps('email')} />
          <RoleAndSites
            role={form.values.role}
            siteIds={form.values.siteIds}
            onRole={(role) => form.setFieldValue('role', role)}
            onSites={(siteIds) => form.setFieldValue('siteIds', siteIds)}
          />
          {create.error && <ErrorAlert error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('users.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
