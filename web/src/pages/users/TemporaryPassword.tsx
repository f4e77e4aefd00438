import { Alert, Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyField } from '../../components/CopyField.tsx';
import { Icon } from '../../components/Icon.tsx';

interface TemporaryPasswordProps {
  readonly password: string;
  onClose(): void;
}

/** A password to be handed over: shown once, and changed at the next sign-in. */
export const TemporaryPassword = ({ password, onClose }: TemporaryPasswordProps) => {
  const t = useTranslations();
  return (
    <Stack>
      <Alert color="yellow" icon={<Icon name="warning" />}>
        {t('users.passwordOnce')}
      </Alert>
      <CopyField label={t('users.temporaryPassword')} text={password} size="lg" />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('users.handedOver')}</Button>
      </Group>
    </Stack>
  );
};
