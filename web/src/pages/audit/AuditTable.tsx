import { Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { useFormat } from '../../format.ts';
import type { EnglishTexts } from '../../texts/en.ts';

type Entry = Schemas['AuditEntry'];

type ActionKey = `audit.action-${string}` & `audit.${keyof EnglishTexts['audit']}`;

/** The text of an action; one that these pages do not know yet is shown as it is. */
const useActionText = (): ((action: string) => string) => {
  const t = useTranslations();
  return (action) => {
    const key = `audit.action-${action.replaceAll('.', '-')}` as ActionKey;
    return t.has(key) ? t(key) : action;
  };
};

const detailText = (detail: Entry['detail']): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');

const actorKindKeys = {
  user: 'user',
  key: 'key',
  'command line': 'commandLine',
  system: 'system',
} as const satisfies Record<Entry['actorKind'], string>;

/** Entries of the audit log, the newest first. */
export const AuditTable = ({ entries }: { readonly entries: readonly Entry[] }) => {
  const t = useTranslations();
  const format = useFormat();
  const actionText = useActionText();
  const columns: Column<Entry>[] = [
    {
      id: 'action',
      label: t('audit.what'),
      render: ({ action, subjectName, subjectId, detail, count }) => (
        <Stack gap={0}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {actionText(action)}
            </Text>
            {(subjectName ?? subjectId) !== null && <Text size="sm">{subjectName ?? subjectId}</Text>}
            {count > 1 && <Badge color="gray">{t('audit.times', { count })}</Badge>}
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {detailText(detail)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'actor',
      label: t('audit.who'),
      render: ({ actorKind, actorName }) => (
        <Stack gap={0}>
          <Text size="sm">{actorName ?? t(`audit.actor-${actorKindKeys[actorKind]}`)}</Text>
          {actorName !== null && (
            <Text size="xs" c="dimmed">
              {t(`audit.actor-${actorKindKeys[actorKind]}`)}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'address',
      label: t('audit.address'),
      render: ({ address }) => <span className="code">{address ?? '–'}</span>,
    },
    {
      id: 'at',
      label: t('audit.when'),
      render: ({ at }) => (
        <time dateTime={at} className="numbers">
          {format.dateTime(at)}
        </time>
      ),
    },
  ];
  return <DataTable caption={t('audit.title')} columns={columns} rows={entries} idOf={({ id }) => id} />;
};
