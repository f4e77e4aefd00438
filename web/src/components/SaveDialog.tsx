import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from './Dialog.tsx';
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
  return (
    <Dialog size={size} fullScreenBelow="48em" guard="click" title={title} onClose={onClose}>
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
    </Dialog>
  );
};
