import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { client } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError } from '../../api/queryClient.ts';
import type { WebhookDialogProps } from './WebhookTable.tsx';

/** Changes the name of a webhook, and what it is told. */
export const ChangeWebhook = ({ webhook, onClose }: WebhookDialogProps) => {
  const { id: webhookId, name, reportsControllers } = webhook;
  const t = useTranslations();
  const change = useSave({
    save: (body: { name: string; reportsControllers: boolean }) =>
      client.PATCH('/webhooks/{webhookId}', { params: { path: { webhookId } }, body }),
    done: (changed) => t('webhooks.changed', { name: changed.name.trim() }),
    outdated: ['/webhooks', '/overview', '/system'],
    onClose,
  });
  const form = useForm({
    initialValues: { name, reportsControllers },
    onValuesChange: () => forgetError(change),
  });
  return (
    <Dialog title={t('webhooks.changeOf', { name })} onClose={onClose}>
      <form onSubmit={form.onSubmit((body) => change.mutate(body))}>
        <Stack>
          <TextInput
            label={t('common.name')}
            required
            maxLength={255}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Checkbox
            label={t('webhooks.reportsControllers')}
            description={t('webhooks.reportsControllersText')}
            {...form.getInputProps('reportsControllers', { type: 'checkbox' })}
          />
          {change.error && <ErrorAlert error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
