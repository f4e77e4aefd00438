import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useEscape } from '../lib/escape.ts';

interface DiscardDialogProps {
  onDiscard(): void;
  onKeep(): void;
}

/** Asks whether unsaved changes may be lost. */
export const DiscardDialog = ({ onDiscard, onKeep }: DiscardDialogProps) => {
  const t = useTranslations();
  useEscape(onKeep);
  return (
    <Modal
      opened
      closeOnEscape={false}
      title={t('common.discardTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onKeep}
    >
      <Stack>
        <Text>{t('common.discardText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onKeep}>
            {t('common.keepEditing')}
          </Button>
          <Button color="red.9" onClick={onDiscard}>
            {t('common.discard')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
