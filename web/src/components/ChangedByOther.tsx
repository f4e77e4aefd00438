import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { showInView } from '../lib/showInView.ts';
import { Icon } from './Icon.tsx';

interface ChangedByOtherProps {
  /** Takes what is stored now. */
  onTake(): void;
  /** Goes on with what is typed, which will replace it. */
  onKeep(): void;
}

/** Tells that somebody else has saved what is being changed here, and lets the person choose. */
export const ChangedByOther = ({ onTake, onKeep }: ChangedByOtherProps) => {
  const t = useTranslations();
  return (
    <Alert ref={showInView} color="yellow" icon={<Icon name="warning" />} role="alert" maw="48rem" mb="md">
      <Stack gap="sm">
        <Text size="sm">{t('storedForm.changedByOther')}</Text>
        <Group>
          <Button variant="default" onClick={onTake}>
            {t('storedForm.takeOther')}
          </Button>
          <Button variant="default" onClick={onKeep}>
            {t('common.keepEditing')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
