import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { WebhookTable, type Webhook, type WebhookDialogProps, type WebhookTask } from './WebhookTable.tsx';

const AddWebhook = lazyDialog(async () => (await import('./AddWebhook.tsx')).AddWebhook);
const Deliveries = lazyDialog(async () => (await import('./Deliveries.tsx')).Deliveries);
const TestWebhook = lazyDialog(async () => (await import('./TestWebhook.tsx')).TestWebhook);

const RenameWebhook = lazyDialog(async () => (await import('./RenameWebhook.tsx')).RenameWebhook);
const RotateSecret = lazyDialog(async () => (await import('./RotateSecret.tsx')).RotateSecret);

type Task = { readonly kind: 'add' } | { readonly kind: WebhookTask; readonly webhook: Webhook };

/** The webhooks: who is told when vouchers are made. */
export const WebhooksPage = () => {
  const t = useTranslations();
  const webhooks = api.useQuery('get', '/webhooks');
  const [task, setTask] = useState<Task>();
  const end = (): void => setTask(undefined);
  const add = (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setTask({ kind: 'add' })}>
      {t('webhooks.add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('webhooks.title')} description={t('webhooks.text')} actions={add} />
      <QueryView query={webhooks}>
        {(data) =>
          data.webhooks.length === 0 ? (
            <EmptyState
              icon="webhooks"
              title={t('webhooks.emptyTitle')}
              text={t('webhooks.emptyText')}
              action={add}
            />
          ) : (
            <WebhookTable webhooks={data.webhooks} onTask={(kind, webhook) => setTask({ kind, webhook })} />
          )
        }
      </QueryView>
      {task?.kind === 'add' && <AddWebhook onClose={end} />}
      {task?.kind === 'test' && <TestWebhook webhook={task.webhook} onClose={end} />}
      {task?.kind === 'deliveries' && <Deliveries webhook={task.webhook} onClose={end} />}
      {task?.kind === 'rename' && <RenameWebhook webhook={task.webhook} onClose={end} />}
      {task?.kind === 'rotate' && <RotateSecret webhook={task.webhook} onClose={end} />}
      {task?.kind === 'remove' && <RemoveWebhook webhook={task.webhook} onClose={end} />}
    </>
  );
};

const RemoveWebhook = ({ webhook, onClose }: WebhookDialogProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id, name } = webhook;
  const remove = api.useMutation('delete', '/webhooks/{webhookId}', {
    onSuccess: () => {
      notify.done(t('webhooks.removed', { name }));
      onClose();
    },
    onSettled: () => invalidate('/webhooks', '/overview', '/system'),
  });
  return (
    <LazyConfirmDialog
      opened
      title={t('webhooks.removeTitle', { name })}
      text={t('webhooks.removeText')}
      action={t('webhooks.remove')}
      name={name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { webhookId: id } } })}
      onClose={onClose}
    />
  );
};
