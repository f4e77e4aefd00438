import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { api, client } from '../../api/api.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { ManagedList } from '../../components/ManagedList.tsx';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { WebhookTable, type Webhook, type WebhookDialogProps } from './WebhookTable.tsx';

const AddWebhook = lazyDialog(async () => (await import('./AddWebhook.tsx')).AddWebhook);
const Deliveries = lazyDialog(async () => (await import('./Deliveries.tsx')).Deliveries);
const TestWebhook = lazyDialog(async () => (await import('./TestWebhook.tsx')).TestWebhook);

const ChangeWebhook = lazyDialog(async () => (await import('./ChangeWebhook.tsx')).ChangeWebhook);
const RotateSecret = lazyDialog(async () => (await import('./RotateSecret.tsx')).RotateSecret);

/** The webhooks: who is told when vouchers are made. */
export const WebhooksPage = () => {
  const t = useTranslations();
  const webhooks = api.useQuery('get', '/webhooks');
  // Not in the address: it sends as soon as it is opened, which a link must not do.
  const [tested, setTested] = useState<Webhook>();
  return (
    <ManagedList
      icon="webhooks"
      texts={{
        title: t('webhooks.title'),
        text: t('webhooks.text'),
        add: t('webhooks.add'),
        emptyTitle: t('webhooks.emptyTitle'),
        emptyText: t('webhooks.emptyText'),
      }}
      query={webhooks}
      itemsOf={(data) => data.webhooks}
      list={(items, open) => (
        <>
          <WebhookTable webhooks={items} open={open} onTest={setTested} />
          {tested && <TestWebhook webhook={tested} onClose={() => setTested(undefined)} />}
        </>
      )}
      addDialog={(onClose) => <AddWebhook onClose={onClose} />}
      itemDialogs={{
        deliveries: (webhook, onClose) => <Deliveries webhook={webhook} onClose={onClose} />,
        change: (webhook, onClose) => <ChangeWebhook webhook={webhook} onClose={onClose} />,
        rotate: (webhook, onClose) => <RotateSecret webhook={webhook} onClose={onClose} />,
        remove: (webhook, onClose) => <RemoveWebhook webhook={webhook} onClose={onClose} />,
      }}
    />
  );
};

const RemoveWebhook = ({ webhook, onClose }: WebhookDialogProps) => {
  const t = useTranslations();
  const { id, name } = webhook;
  const remove = useRemove({
    remove: () => client.DELETE('/webhooks/{webhookId}', { params: { path: { webhookId: id } } }),
    done: t('webhooks.removed', { name }),
    outdated: ['/webhooks', '/overview', '/system'],
    onClose,
  });
  return (
    <LazyConfirmDialog
      title={t('webhooks.removeTitle', { name })}
      text={t('webhooks.removeText')}
      action={t('webhooks.remove')}
      name={name}
      {...remove}
      onClose={onClose}
    />
  );
};
