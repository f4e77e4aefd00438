import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { NewPasswordInput } from '../../components/NewPasswordInput.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { useCurrentUser } from '../../session/session.ts';

interface PasswordFormProps {
  /** Whether there is nothing else on the page. */
  readonly isFirst?: boolean;
  readonly onChanged?: () => void;
}

/** Changes one's own password; all other sessions end. */
export const PasswordForm = ({ onChanged, isFirst = false }: PasswordFormProps) => {
  const t = useTranslations();
  const { name, asksCurrentPassword } = useCurrentUser();
  const form = useForm({ initialValues: { current: '', password: '' } });
  const change = api.useMutation('put', '/account/password', {
    onSuccess: async () => {
      form.reset();
      onChanged?.();
      await invalidate('/session', '/account/sessions');
    },
    // Somebody who waited for long enough is asked for the current password after all.
    onError: () => invalidate('/session'),
  });
  return (
    <form
      onSubmit={form.onSubmit(({ current, password }) =>
        change.mutate({ body: { password, ...(asksCurrentPassword && { current }) } }),
      )}
    >
      <Stack>
        {/* Password managers want to know whose it is. */}
        <input type="text" autoComplete="username" value={name} readOnly hidden />
        {asksCurrentPassword && (
          <PasswordInput
            label={t('common.currentPassword')}
            autoComplete="current-password"
            autoFocus={isFirst}
            required
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            {...form.getInputProps('current')}
          />
        )}
        <NewPasswordInput autoFocus={isFirst && !asksCurrentPassword} {...form.getInputProps('password')} />
        {change.error && <ErrorAlert error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('account.changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
