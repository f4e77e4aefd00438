import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { ManagedList } from '../../components/ManagedList.tsx';
import { StateBadge, type Tone } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { KeyUsage } from './KeyUsage.tsx';

type Key = Schemas['Key'];

const CreateKeyDialog = lazyDialog(async () => (await import('./CreateKeyDialog.tsx')).CreateKeyDialog);

const tones: Readonly<Record<Key['state'], Tone>> = { valid: 'good', expired: 'warning', revoked: 'neutral' };

/** The keys of the API: created, watched and revoked. */
export const KeysPage = () => {
  const t = useTranslations();
  const keys = api.useQuery('get', '/keys');
  return (
    <ManagedList
      icon="keys"
      texts={{
        title: t('keys.title'),
        text: t('keys.description'),
        add: t('keys.create'),
        emptyTitle: t('keys.none'),
        emptyText: t('keys.noneText'),
      }}
      query={keys}
      itemsOf={(data) => data.keys}
      list={(items) => <KeyList keys={items} />}
      addDialog={(onClose) => <CreateKeyDialog onClose={onClose} />}
      itemDialogs={{}}
    />
  );
};

const KeyList = ({ keys }: { readonly keys: readonly Key[] }) => {
  const t = useTranslations();
  const [showsAll, setShowsAll] = useState(false);
  const valid = keys.filter(({ state }) => state === 'valid');
  return (
    <Stack>
      {valid.length < keys.length && (
        <Switch
          label={t('keys.showInvalid', { count: keys.length - valid.length })}
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      )}
      {showsAll || valid.length > 0 ? (
        <KeyTable keys={showsAll ? keys : valid} />
      ) : (
        <Text c="dimmed">{t('keys.noneValid')}</Text>
      )}
    </Stack>
  );
};

/** Revokes at once, and offers to undo that. */
const useRevoke = (): ((key: Key) => void) => {
  const t = useTranslations();
  const notify = useNotify();
  const refresh = () => invalidate('/keys', '/overview');
  const restore = api.useMutation('post', '/keys/{keyId}/restore', {
    onSuccess: () => notify.done(t('keys.restored')),
    onError: notify.failed,
    onSettled: refresh,
  });
  const revoke = api.useMutation('delete', '/keys/{keyId}', { onError: notify.failed, onSettled: refresh });
  return ({ id, name }) => {
    const params = { path: { keyId: id } };
    revoke.mutate(
      { params },
      { onSuccess: () => notify.undoable(t('keys.revoked', { name }), () => restore.mutate({ params })) },
    );
  };
};

const KeyTable = ({ keys }: { readonly keys: readonly Key[] }) => {
  const t = useTranslations();
  const format = useFormat();
  const revoke = useRevoke();
  const columns: Column<Key>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: ({ name, prefix }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="code">
            {prefix}…
          </Text>
        </Stack>
      ),
    },
    { id: 'scope', label: t('keys.scope'), render: ({ scope }) => t(`keys.scope-${scope}`) },
    {
      id: 'limit',
      label: t('keys.limit'),
      isNumber: true,
      render: ({ rateLimit }) => (rateLimit === 0 ? t('keys.unlimited') : format.number(rateLimit)),
    },
    {
      id: 'usage',
      label: t('keys.usage'),
      render: ({ name, usage }) => <KeyUsage name={name} usage={usage} />,
    },
    {
      id: 'used',
      label: t('keys.lastUsed'),
      render: ({ lastUsedAt }) => <Time at={lastUsedAt} none={t('keys.never')} />,
    },
    {
      id: 'state',
      label: t('keys.state'),
      render: ({ state, expiresAt }) => (
        <Group gap={6}>
          <StateBadge tone={tones[state]}>{t(`keys.state-${state}`)}</StateBadge>
          {state === 'valid' && expiresAt !== null && (
            <Text size="xs" c="dimmed">
              {t('keys.until', { date: format.date(expiresAt) })}
            </Text>
          )}
        </Group>
      ),
    },
    {
      id: 'actions',
      label: t('keys.revoke'),
      isAction: true,
      render: (key) =>
        key.state !== 'revoked' && (
          <Button
            variant="default"
            size="compact-sm"
            miw="max-content"
            aria-label={t('keys.revokeName', { name: key.name })}
            onClick={() => revoke(key)}
          >
            {t('keys.revoke')}
          </Button>
        ),
    },
  ];
  return <DataTable caption={t('keys.title')} columns={columns} rows={keys} idOf={({ id }) => id} />;
};
