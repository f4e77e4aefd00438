import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';

interface CurrentPasswordFormProps {
  readonly text: string;
  readonly action: string;
  readonly mutation: { readonly isPending: boolean; readonly error: unknown };
  onSubmit(current: string): void;
  onCancel?: (() => void) | undefined;
}

/** Asks for the password once more, so that nobody changes something at a browser that was left open. */
export const CurrentPasswordForm = (props: CurrentPasswordFormProps) => {
  const { text, action, mutation, onSubmit, onCancel } = props;
  const t = useTranslations();
  const [current, setCurrent] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(current);
      }}
    >
      <Stack>
        <Text>{text}</Text>
        <PasswordInput
          label={t('common.currentPassword')}
          autoComplete="current-password"
          required
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        {Boolean(mutation.error) && <ErrorAlert error={mutation.error} />}
        <Group>
          <Button type="submit" loading={mutation.isPending}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
};
