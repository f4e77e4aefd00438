import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../i18n/errorText.ts';
import { hideMessage, showMessage } from './notifier.tsx';
import { randomUuid } from '../lib/randomUuid.ts';

/** How long something can be undone. The service allows a minute. */
const undoMs = 10_000;

/** How long a message is shown that asks for something. */
const readingMs = 12_000;

interface Notify {
  done(text: string): void;
  /** Says that something was done whose outcome is not known. */
  unsure(text: string): void;
  failed(error: unknown): void;
  /** Says of which thing an error speaks, such as a printer. */
  failedOn(name: string, error: unknown): void;
  /** Says that something was done, with a button that undoes it for a few seconds. */
  undoable(text: string, undo: () => void): void;
}

/** Short messages at the edge of the page. */
export const useNotify = (): Notify => {
  const t = useTranslations();
  const errorText = useErrorText();
  const closeButtonProps = { 'aria-label': t('common.close') };
  const fail = (title: string, error: unknown): void => {
    const { text, requestId } = errorText(error);
    const message = requestId === null ? text : `${text} (${t('common.requestId', { id: requestId })})`;
    showMessage({ title, message, color: 'red', autoClose: readingMs, closeButtonProps });
  };
  return {
    done: (text) => showMessage({ message: text, color: 'accent', closeButtonProps }),
    unsure: (text) => showMessage({ message: text, color: 'yellow', autoClose: readingMs, closeButtonProps }),
    failed: (error) => fail(t('common.failed'), error),
    failedOn: fail,
    undoable: (text, undo) => {
      const id = randomUuid();
      showMessage({
        id,
        autoClose: undoMs,
        color: 'accent',
        closeButtonProps,
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{text}</Text>
            <Button
              size="compact-sm"
              variant="light"
              miw="max-content"
              onClick={() => {
                hideMessage(id);
                undo();
              }}
            >
              {t('common.undo')}
            </Button>
          </Group>
        ),
      });
    },
  };
};
