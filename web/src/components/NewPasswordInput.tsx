import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslations } from 'use-intl';

/** What the service asks for; it also refuses what is easy to guess. */
export const minPasswordLength = 12;

/** A field for a password that is being chosen. What is wrong with it is said below it, and not by the browser. */
export const NewPasswordInput = ({ error, onChange, ...props }: PasswordInputProps) => {
  const t = useTranslations();
  const [isShort, setShort] = useState(false);
  const showError = (event: SyntheticEvent<HTMLInputElement>): void => {
    const field = event.currentTarget;
    event.preventDefault();
    setShort(true);
    if (field.form?.querySelector(':invalid') === field) field.focus();
  };
  return (
    <PasswordInput
      label={t('common.newPassword')}
      description={t('common.passwordRule', { count: minPasswordLength })}
      autoComplete="new-password"
      minLength={minPasswordLength}
      required
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      {...props}
      error={isShort ? t('errors.password-short') : error}
      onInvalid={showError}
      onChange={(event) => {
        setShort(false);
        onChange?.(event);
      }}
    />
  );
};
