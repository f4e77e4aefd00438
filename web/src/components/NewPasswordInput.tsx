import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** What the service asks for; it also refuses what is easy to guess. */
export const minPasswordLength = 12;

/** A field for a password that is being chosen. */
export const NewPasswordInput = (props: PasswordInputProps) => {
  const t = useTranslations();
  return (
    <PasswordInput
      label={t('common.newPassword')}
      description={t('common.passwordRule', { count: minPasswordLength })}
      autoComplete="new-password"
      minLength={minPasswordLength}
      required
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      {...props}
    />
  );
};
