import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, type Schemas } from '../../api.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { Icon } from '../../components/Icon.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useFormat } from '../../format.ts';
import { useNotify } from '../../notify.tsx';
import { invalidate } from '../../queryClient.ts';

export type Webhook = Schemas['Webhook'];
export type WebhookTask = 'test' | 'deliveries' | 'remove';

interface WebhookTableProps {
  readonly webhooks: readonly Webhook[];
  onTask(task: WebhookTask, webhook: Webhook): void;
}

/** The webhooks with the state of their deliveries. */
export const WebhookTable = ({ webhooks, onTask }: WebhookTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const columns: Column<Webhook>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: ({ name, format: platform, address, reason }) => (
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`webhooks.platform-${platform}`)}
          </Text>
          <Text size="xs" c="dimmed" className="code">
            {address}
          </Text>
          {reason !== null && (
            <Text size="xs" c="var(--mantine-color-error)">
              {t('webhooks.offBecause', { reason })}
            </Text>
          )}
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
      render: (webhook) => <WebhookActions webhook={webhook} onTask={(task) => onTask(task, webhook)} />,
    },
  ];
  return <DataTable caption={t('webhooks.title')} columns={columns} rows={webhooks} idOf={({ id }) => id} />;
};

const WebhookState = ({ webhook: { isActive, reason, failed } }: { readonly webhook: Webhook }) => {
  const t = useTranslations();
  if (!isActive)
    return <StateBadge tone={reason === null ? 'neutral' : 'bad'}>{t('webhooks.off')}</StateBadge>;
  return failed > 0 ? (
    <StateBadge tone="warning">{t('webhooks.someFailed')}</StateBadge>
  ) : (
    <StateBadge tone="good">{t('webhooks.on')}</StateBadge>
  );
};

interface WebhookActionsProps {
  readonly webhook: Webhook;
  onTask(task: WebhookTask): void;
}

const WebhookActions = ({ webhook, onTask }: WebhookActionsProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id: webhookId, name, isActive, waiting } = webhook;
  const change = api.useMutation('patch', '/webhooks/{webhookId}', {
    onError: notify.failed,
    onSettled: () => invalidate('/webhooks', '/webhooks/{webhookId}/deliveries', '/overview', '/system'),
  });
  const setActive = (active: boolean, onSuccess?: () => void): void =>
    change.mutate({ params: { path: { webhookId } }, body: { active } }, { ...(onSuccess && { onSuccess }) });
  const switchOff = (): void =>
    setActive(false, () => notify.undoable(t('webhooks.switchedOff', { name }), () => setActive(true)));
  // What waits is sent at once, which nobody can take back.
  const switchOn = (): void =>
    setActive(true, () => notify.done(t('webhooks.switchedOn', { name, count: waiting })));
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {!isActive && (
        <Button
          size="compact-sm"
          variant="light"
          loading={change.isPending}
          aria-label={t('webhooks.enableOf', { name })}
          onClick={switchOn}
        >
          {t('webhooks.enable')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('webhooks.deliveriesOf', { name })}
        onClick={() => onTask('deliveries')}
      >
        {t('webhooks.deliveries')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('webhooks.more', { name })}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="check" size={18} />} onClick={() => onTask('test')}>
            {t('webhooks.test')}
          </Menu.Item>
          {isActive && (
            <Menu.Item leftSection={<Icon name="error" size={18} />} onClick={switchOff}>
              {t('webhooks.disable')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="trash" size={18} />} onClick={() => onTask('remove')}>
            {t('webhooks.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
};
