import { ActionIcon, Stack, Text, Tooltip } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { StateBadge, type Tone } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { usePickText } from '../../i18n/language.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { useNow } from '../../lib/useNow.ts';
import { attemptTimeOf } from './attemptTime.ts';
import type { Webhook, WebhookDialogProps } from './WebhookTable.tsx';

type Delivery = Schemas['Delivery'];

const tones: Readonly<Record<Delivery['state'], Tone>> = {
  waiting: 'neutral',
  delivered: 'good',
  failed: 'bad',
};

/** What was sent to a webhook, what its target answered, and a way to send it again. */
export const Deliveries = ({ webhook, onClose }: WebhookDialogProps) => {
  const t = useTranslations();
  const { id: webhookId, name } = webhook;
  const deliveries = api.useQuery('get', '/webhooks/{webhookId}/deliveries', {
    params: { path: { webhookId } },
  });
  return (
    <Dialog
      size="70rem"
      fullScreenBelow="62em"
      title={t('webhooks.deliveriesOf', { name })}
      onClose={onClose}
    >
      <QueryView query={deliveries}>
        {(data) =>
          data.deliveries.length === 0 ? (
            <EmptyState
              icon="webhooks"
              title={t('webhooks.noDeliveriesTitle')}
              text={t('webhooks.noDeliveriesText')}
            />
          ) : (
            <DeliveryTable deliveries={data.deliveries} webhook={webhook} />
          )
        }
      </QueryView>
    </Dialog>
  );
};

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly webhook: Webhook;
}

const DeliveryTable = ({ deliveries, webhook }: DeliveryTableProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const resend = api.useMutation('post', '/deliveries/{deliveryId}/resend', {
    onSuccess: () =>
      notify.done(webhook.isActive ? t('webhooks.resent') : t('webhooks.resentOff', { name: webhook.name })),
    onError: notify.failed,
    onSettled: () => invalidate('/webhooks', '/webhooks/{webhookId}/deliveries', '/overview', '/system'),
  });
  const columns: Column<Delivery>[] = [
    {
      id: 'what',
      label: t('webhooks.message'),
      render: ({ type, count, site, source }) => (
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {type === 'voucher.created' && t('webhooks.vouchersAt', { count, site })}
            {type === 'controller.unreachable' && t('webhooks.unreachable', { controller: source })}
            {type === 'controller.reachable' && t('webhooks.reachable', { controller: source })}
          </Text>
          <Text size="xs" c="dimmed">
            {type === 'voucher.created' ? source : site}
          </Text>
        </Stack>
      ),
    },
    { id: 'created', label: t('webhooks.created'), render: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'state',
      label: t('webhooks.state'),
      render: ({ state }) => <StateBadge tone={tones[state]}>{t(`webhooks.delivery-${state}`)}</StateBadge>,
    },
    {
      id: 'answer',
      label: t('webhooks.tries'),
      render: (delivery) => <Attempts delivery={delivery} webhook={webhook} />,
    },
    {
      id: 'resend',
      label: t('webhooks.resend'),
      isAction: true,
      render: ({ id, state }) =>
        state !== 'waiting' && (
          <Tooltip label={t('webhooks.resend')}>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('webhooks.resend')}
              loading={resend.isPending && resend.variables.params.path.deliveryId === id}
              onClick={() => resend.mutate({ params: { path: { deliveryId: id } } })}
            >
              <Icon name="refresh" size={18} />
            </ActionIcon>
          </Tooltip>
        ),
    },
  ];
  return (
    <DataTable caption={t('webhooks.deliveries')} columns={columns} rows={deliveries} idOf={({ id }) => id} />
  );
};

interface AttemptsProps {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
}

/** How often it was tried, when it is tried again, and why the last attempt failed. */
const Attempts = ({ delivery, webhook }: AttemptsProps) => {
  const t = useTranslations();
  const pick = usePickText();
  const now = useNow();
  const { tries, at, reason } = delivery;
  const time = attemptTimeOf(delivery, {
    isActive: webhook.isActive,
    isHeld: webhook.failing?.isHolding === true,
    now,
  });
  const attempts = t('webhooks.attempts', { count: tries });
  return (
    <Stack gap={2}>
      <Text size="sm" component="div">
        {time === 'last' ? attempts : t(`webhooks.attempt-${time}`)}{' '}
        {(time === 'last' || time === 'next') && <Time at={at} />}
      </Text>
      {reason !== null && (
        <Text size="xs" c="dimmed">
          {time !== 'last' && attempts} {pick(reason)}
        </Text>
      )}
    </Stack>
  );
};
