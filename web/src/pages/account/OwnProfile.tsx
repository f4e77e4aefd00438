import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { NameAndEmail } from '../../components/NameAndEmail.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { useCurrentUser } from '../../session/session.ts';

/** Who somebody is here. The address decides who they are at single sign-on, so only administrators change it. */
export const OwnProfile = () => {
  const t = useTranslations();
  const { name, email, role } = useCurrentUser();
  if (role === 'admin') return <OwnProfileForm />;
  return (
    <Stack gap={4}>
      <Text>{name}</Text>
      <Text>{email ?? t('account.noEmail')}</Text>
      <Text c="dimmed" size="sm">
        {t('account.profileHint')}
      </Text>
    </Stack>
  );
};

const OwnProfileForm = () => {
  const t = useTranslations();
  const notify = useNotify();
  const user = useCurrentUser();
  const form = useForm({
    initialValues: { name: user.name, email: user.email ?? '' },
    onValuesChange: () => forgetError(change),
  });
  const change = api.useMutation('patch', '/users/{userId}', {
    onSuccess: async () => {
      notify.done(t('account.profileSaved'));
      form.resetDirty();
      await invalidate('/session', '/users');
    },
  });
  const submit = form.onSubmit(({ name, email }) =>
    change.mutate({ params: { path: { userId: user.id } }, body: { name, email: email.trim() || null } }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <NameAndEmail name={form.getInputProps('name')} email={form.getInputProps('email')} />
        {change.error && <ErrorAlert error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
