import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from './ErrorAlert.tsx';

interface SaveDialogProps {
  readonly title: string;
  readonly size?: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: NonNullable<ComponentProps<'form'>['onSubmit']>;
  readonly children: ReactNode;
  onClose(): void;
}

/** The fields of something that is added or changed. A click beside it loses nothing. */
export const SaveDialog = (props: SaveDialogProps) => {
  const { title, size = 'md', isPending, error, onSubmit, children, onClose } = props;
  const t = useTranslations();
  const isPhone = useMediaQuery('(max-width: 48em)');
  return (
    <Modal
      opened
      size={size}
      fullScreen={isPhone}
      closeOnClickOutside={false}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onClose}
    >
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          {Boolean(error) && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
