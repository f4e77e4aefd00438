import { Button, Menu, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import type { OpenItem } from '../../components/ManagedList.tsx';
import { RowMenu } from '../../components/RowMenu.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useFormat } from '../../i18n/format.ts';
import { usePickText } from '../../i18n/language.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';

export type Webhook = Schemas['Webhook'];
type WebhookTask = 'deliveries' | 'change' | 'rotate' | 'remove';

export interface WebhookDialogProps {
  readonly webhook: Webhook;
  onClose(): void;
}

interface WebhookTableProps {
  readonly webhooks: readonly Webhook[];
  readonly open: OpenItem<Webhook, WebhookTask>;
  onTest(webhook: Webhook): void;
}

/** The webhooks with the state of their deliveries. */
export const WebhookTable = ({ webhooks, open, onTest }: WebhookTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const columns: Column<Webhook>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: (webhook) => (
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {webhook.name}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`webhooks.platform-${webhook.format}`)}
          </Text>
          <Text size="xs" c="dimmed" className="code">
            {webhook.address}
          </Text>
          {!webhook.isActive && <SwitchedOff webhook={webhook} />}
          {webhook.failing && <Failing failing={webhook.failing} />}
        </Stack>
      ),
    },
    { id: 'state', label: t('webhooks.state'), render: (webhook) => <WebhookState webhook={webhook} /> },
    {
      id: 'waiting',
      label: t('webhooks.waiting'),
      isNumber: true,
      render: ({ waiting }) => format.number(waiting),
    },
    {
      id: 'failed',
      label: t('webhooks.failed'),
      isNumber: true,
      render: ({ failed }) => format.number(failed),
    },
    {
      id: 'actions',
      label: t('webhooks.actions'),
      isAction: true,
      render: (webhook) => <WebhookActions webhook={webhook} open={open} onTest={onTest} />,
    },
  ];
  return <DataTable caption={t('webhooks.title')} columns={columns} rows={webhooks} idOf={({ id }) => id} />;
};

const WebhookState = ({ webhook: { isActive, reason, failed, failing } }: { readonly webhook: Webhook }) => {
  const t = useTranslations();
  if (!isActive)
    return <StateBadge tone={reason === null ? 'neutral' : 'bad'}>{t('webhooks.off')}</StateBadge>;
  if (failing) return <StateBadge tone="bad">{t('webhooks.failing')}</StateBadge>;
  return failed > 0 ? (
    <StateBadge tone="warning">{t('webhooks.someFailed')}</StateBadge>
  ) : (
    <StateBadge tone="good">{t('webhooks.on')}</StateBadge>
  );
};

const useSwitch = ({ id: webhookId, name, waiting }: Webhook) => {
  const t = useTranslations();
  const notify = useNotify();
  const change = api.useMutation('patch', '/webhooks/{webhookId}', {
    onError: notify.failed,
    onSettled: () => invalidate('/webhooks', '/webhooks/{webhookId}/deliveries', '/overview', '/system'),
  });
  const setActive = (active: boolean, onSuccess?: () => void): void =>
    change.mutate({ params: { path: { webhookId } }, body: { active } }, { onSuccess: () => onSuccess?.() });
  return {
    isPending: change.isPending,
    off: (): void =>
      setActive(false, () => notify.undoable(t('webhooks.switchedOff', { name }), () => setActive(true))),
    // What waits is sent at once, which nobody can take back.
    on: (): void => setActive(true, () => notify.done(t('webhooks.switchedOn', { name, count: waiting }))),
  };
};

const Failing = ({ failing }: { readonly failing: NonNullable<Webhook['failing']> }) => {
  const t = useTranslations();
  const format = useFormat();
  const pick = usePickText();
  const { tries, since, nextAt, reason } = failing;
  return (
    <Text size="xs" c="var(--mantine-color-error)">
      {t('webhooks.failingBecause', {
        count: tries,
        since: format.relative(since),
        next: format.relative(nextAt),
        reason: pick(reason),
      })}
    </Text>
  );
};

const SwitchedOff = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTranslations();
  const { isPending, on } = useSwitch(webhook);
  const pick = usePickText();
  const { name, reason } = webhook;
  return (
    <Stack gap={6} mt={4} align="flex-start">
      {reason !== null && (
        <Text size="xs" c="var(--mantine-color-error)">
          {t('webhooks.offBecause', { reason: pick(reason) })}
        </Text>
      )}
      <Button
        size="compact-sm"
        variant="light"
        loading={isPending}
        aria-label={t('webhooks.enableOf', { name })}
        onClick={on}
      >
        {t('webhooks.enable')}
      </Button>
    </Stack>
  );
};

interface WebhookActionsProps extends Pick<WebhookTableProps, 'open' | 'onTest'> {
  readonly webhook: Webhook;
}

const WebhookActions = ({ webhook, open, onTest }: WebhookActionsProps) => {
  const t = useTranslations();
  const { off } = useSwitch(webhook);
  return (
    <RowMenu label={t('webhooks.actionsFor', { name: webhook.name })}>
      <Menu.Item onClick={() => open('deliveries', webhook)}>{t('webhooks.deliveries')}</Menu.Item>
      <Menu.Item onClick={() => onTest(webhook)}>{t('webhooks.test')}</Menu.Item>
      <Menu.Item onClick={() => open('change', webhook)}>{t('webhooks.change')}</Menu.Item>
      {webhook.format === 'generic' && (
        <Menu.Item onClick={() => open('rotate', webhook)}>{t('webhooks.rotate')}</Menu.Item>
      )}
      {webhook.isActive && <Menu.Item onClick={off}>{t('webhooks.disable')}</Menu.Item>}
      <Menu.Item color="var(--mantine-color-error)" onClick={() => open('remove', webhook)}>
        {t('webhooks.remove')}
      </Menu.Item>
    </RowMenu>
  );
};
