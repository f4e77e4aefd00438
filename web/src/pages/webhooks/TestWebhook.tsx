import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Waiting } from '../../components/QueryView.tsx';
import { usePickText } from '../../i18n/language.tsx';
import type { WebhookDialogProps } from './WebhookTable.tsx';

/** Sends a test message, and shows what the target answered. */
export const useWebhookTest = () => api.useMutation('post', '/webhooks/{webhookId}/test');

type TestMutation = Pick<ReturnType<typeof useWebhookTest>, 'data' | 'error' | 'isPending'>;

/** What came back of a test. */
export const TestAnswer = ({ test }: { readonly test: TestMutation }) => {
  const t = useTranslations();
  const pick = usePickText();
  if (test.isPending) return <Waiting lines={2} />;
  if (test.error) return <ErrorAlert error={test.error} />;
  if (!test.data) return null;
  const { isDelivered, status, reason } = test.data;
  return (
    <Alert
      color={isDelivered ? 'teal' : 'red'}
      icon={<Icon name={isDelivered ? 'check' : 'error'} />}
      title={isDelivered ? t('webhooks.delivered') : t('webhooks.notDelivered')}
      role="status"
    >
      <Text size="sm" className="sentence">
        {reason !== null
          ? // It has the status, too, where there is one.
            pick(reason)
          : status === null
            ? t('webhooks.noAnswer')
            : t('webhooks.answer', { status: String(status) })}
      </Text>
    </Alert>
  );
};

/** Sends a test message as soon as it is opened. */
export const TestWebhook = ({ webhook, onClose }: WebhookDialogProps) => {
  const t = useTranslations();
  const { id: webhookId, name } = webhook;
  const test = useWebhookTest();
  const { mutate } = test;
  const send = (): void => mutate({ params: { path: { webhookId } } });
  useEffect(() => mutate({ params: { path: { webhookId } } }), [mutate, webhookId]);
  return (
    <Dialog title={t('webhooks.testOf', { name })} onClose={onClose}>
      <Stack>
        <Text>{t('webhooks.testText')}</Text>
        <TestAnswer test={test} />
        <Group justify="flex-end">
          <Button variant="default" loading={test.isPending} onClick={send}>
            {t('webhooks.sendAgain')}
          </Button>
          <Button onClick={onClose}>{t('webhooks.done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
