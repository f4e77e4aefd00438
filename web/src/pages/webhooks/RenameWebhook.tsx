import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import type { WebhookDialogProps } from './WebhookTable.tsx';

/** Gives a webhook another name. */
export const RenameWebhook = ({ webhook: { id: webhookId, name }, onClose }: WebhookDialogProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const rename = api.useMutation('patch', '/webhooks/{webhookId}', {
    onSuccess: (renamed) => {
      notify.done(t('webhooks.renamed', { name: renamed.name }));
      onClose();
    },
    onSettled: () => invalidate('/webhooks', '/overview', '/system'),
  });
  const form = useForm({ initialValues: { name }, onValuesChange: () => forgetError(rename) });
  return (
    <Modal
      opened
      title={t('webhooks.renameOf', { name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onClose}
    >
      <form onSubmit={form.onSubmit((body) => rename.mutate({ params: { path: { webhookId } }, body }))}>
        <Stack>
          <TextInput
            label={t('common.name')}
            required
            maxLength={255}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          {rename.error && <ErrorAlert error={rename.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={rename.isPending}>
              {t('webhooks.rename')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
