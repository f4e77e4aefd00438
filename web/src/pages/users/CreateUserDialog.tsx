import { Alert, Button, Group, Radio, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { Icon } from '../../components/Icon.tsx';
import { NameAndEmail } from '../../components/NameAndEmail.tsx';
import { RoleAndSites } from './RoleAndSites.tsx';
import { TemporaryPassword } from './TemporaryPassword.tsx';

interface NewUserValues {
  invite: boolean;
  name: string;
  email: string;
  role: Schemas['Role'];
  /** Null until somebody chooses. */
  siteIds: number[] | null;
}

/** Creates a user, and shows the password that they begin with. */
export const CreateUserDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations();
  const create = api.useMutation('post', '/users', { onSuccess: () => invalidate('/users') });
  const form = useForm<NewUserValues>({
    initialValues: { name: '', email: '', role: 'staff', siteIds: null, invite: false },
    onValuesChange: () => forgetError(create),
  });
  const { data: mailServer } = api.useQuery('get', '/mail-server');
  const sites = api.useQuery('get', '/sites').data?.sites ?? [];
  // Where there is only one site, it is meant.
  const siteIds = form.values.siteIds ?? (sites.length === 1 ? sites.map(({ id }) => id) : []);
  // Only somebody with an address can be written to.
  const canInvite = mailServer?.isComplete === true && form.values.email.trim() !== '';
  const submit = form.onSubmit(({ name, email, role, invite }) =>
    create.mutate({
      body: {
        name,
        email: email.trim() || null,
        role,
        siteIds: role === 'admin' ? [] : siteIds,
        invite: invite && canInvite,
      },
    }),
  );
  if (create.data && create.data.password === null)
    return (
      <Dialog title={t('users.created', { name: create.data.user.name })} onClose={onClose}>
        <Stack>
          <Alert color="teal" icon={<Icon name="mail" />} role="status">
            {t('users.invited', { name: create.data.user.name })}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('common.close')}</Button>
          </Group>
        </Stack>
      </Dialog>
    );
  if (create.data)
    return (
      <Dialog title={t('users.created', { name: create.data.user.name })} guard="key" onClose={onClose}>
        <TemporaryPassword password={create.data.password ?? ''} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t('users.create')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <NameAndEmail name={form.getInputProps('name')} email={form.getInputProps('email')} />
          <RoleAndSites
            role={form.values.role}
            siteIds={siteIds}
            onRole={(role) => form.setFieldValue('role', role)}
            onSites={(chosen) => form.setFieldValue('siteIds', chosen)}
          />
          {mailServer?.isComplete === true && (
            <Radio.Group
              label={t('users.start')}
              value={form.values.invite && canInvite ? 'invite' : 'password'}
              onChange={(value) => form.setFieldValue('invite', value === 'invite')}
            >
              <Stack gap="xs" mt={6}>
                <Radio
                  value="password"
                  label={t('users.start-password')}
                  description={t('users.start-password-hint')}
                />
                <Radio
                  value="invite"
                  disabled={!canInvite}
                  label={t('users.start-invite')}
                  description={t('users.start-invite-hint')}
                />
              </Stack>
            </Radio.Group>
          )}
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
