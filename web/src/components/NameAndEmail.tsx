import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

interface NameAndEmailProps {
  /** What a form gives its fields. */
  readonly name: TextInputProps;
  readonly email: TextInputProps;
}

/** What somebody signs in with: a name, and perhaps an e-mail address. */
export const NameAndEmail = ({ name, email }: NameAndEmailProps) => {
  const t = useTranslations();
  return (
    <>
      <TextInput
        label={t('common.name')}
        description={t('common.loginName')}
        maxLength={100}
        required
        autoComplete="off"
        data-autofocus
        {...name}
      />
      <TextInput
        label={t('common.email')}
        description={t('common.loginEmail')}
        type="email"
        maxLength={254}
        autoComplete="off"
        {...email}
      />
    </>
  );
};
