import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../i18n/errorText.ts';
import { Icon } from './Icon.tsx';

interface ErrorAlertProps {
  readonly error: unknown;
  readonly retry?: () => void;
}

/** What went wrong and what to do, where it went wrong. */
export const ErrorAlert = ({ error, retry }: ErrorAlertProps) => {
  const t = useTranslations();
  const { text, requestId } = useErrorText()(error);
  return (
    <Alert color="red" variant="light" icon={<Icon name="error" />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed" className="code">
            {t('common.requestId', { id: requestId })}
          </Text>
        )}
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};
