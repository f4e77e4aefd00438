import { Alert } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyField } from '../../components/CopyField.tsx';
import { Icon } from '../../components/Icon.tsx';

/** A secret that signs, which is shown once. */
export const NewSecret = ({ secret }: { readonly secret: string }) => {
  const t = useTranslations();
  return (
    <>
      <Alert color="yellow" icon={<Icon name="warning" />} title={t('webhooks.secretTitle')}>
        {t('webhooks.secretText')}
      </Alert>
      <CopyField label={t('webhooks.secret')} text={secret} />
    </>
  );
};
