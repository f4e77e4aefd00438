import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from './Dialog.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly text: ReactNode;
  /** What the button does, as a verb. */
  readonly action: string;
  /** What has to be typed before something that can not be undone. */
  readonly name?: string;
  readonly isPending?: boolean;
  readonly error?: unknown;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that can not be undone; by name where a slip would be costly. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, text, action, name, isPending = false, error, onConfirm, onClose } = props;
  const t = useTranslations();
  const [typed, setTyped] = useState('');
  const isConfirmed = name === undefined || typed.trim() === name.trim();
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) onConfirm();
        }}
      >
        <Stack>
          <Text component="div">{text}</Text>
          {name !== undefined && (
            <TextInput
              label={t('common.typeName', { name })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {Boolean(error) && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            {/* Not its cross: the next Tab leads to what was asked for. */}
            <Button variant="default" data-autofocus={name === undefined || undefined} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" color="red.9" loading={isPending} disabled={!isConfirmed}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
