import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { client } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError } from '../../api/queryClient.ts';
import type { WebhookDialogProps } from './WebhookTable.tsx';

/** Gives a webhook another name. */
export const RenameWebhook = ({ webhook: { id: webhookId, name }, onClose }: WebhookDialogProps) => {
  const t = useTranslations();
  const rename = useSave({
    save: (body: { name: string }) =>
      client.PATCH('/webhooks/{webhookId}', { params: { path: { webhookId } }, body }),
    done: (renamed) => t('webhooks.renamed', { name: renamed.name.trim() }),
    outdated: ['/webhooks', '/overview', '/system'],
    onClose,
  });
  const form = useForm({ initialValues: { name }, onValuesChange: () => forgetError(rename) });
  return (
    <Dialog title={t('webhooks.renameOf', { name })} onClose={onClose}>
      <form onSubmit={form.onSubmit((body) => rename.mutate(body))}>
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
    </Dialog>
  );
};
