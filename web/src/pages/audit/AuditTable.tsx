import { Badge, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { useFormat } from '../../i18n/format.ts';
import classes from './AuditTable.module.css';
import { useActionText, useDetailText } from './auditTexts.ts';

type Entry = Schemas['AuditEntry'];

/** The name of what was changed, unless it is the same person. */
const subjectOf = (
  { subjectKind, subjectName, subjectId, actorKind, actorName }: Entry,
  allSites: string,
): string | null => {
  // A limit is called by its site.
  if (subjectKind === 'limit') return subjectName ?? allSites;
  if (subjectKind === 'voucher') return subjectName;
  if (subjectKind === 'user' && actorKind === 'user' && subjectName === actorName) return null;
  return subjectName ?? subjectId;
};

const actorKindKeys = {
  user: 'user',
  key: 'key',
  kiosk: 'kiosk',
  guest: 'guest',
  'command line': 'commandLine',
  system: 'system',
} as const satisfies Record<Entry['actorKind'], string>;

/** Entries of the audit log, the newest first. */
export const AuditTable = ({ entries }: { readonly entries: readonly Entry[] }) => {
  const t = useTranslations();
  const format = useFormat();
  const actionText = useActionText();
  const detailText = useDetailText();
  const columns: Column<Entry>[] = [
    {
      id: 'action',
      label: t('audit.what'),
      render: (entry) => (
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          <strong>
            {[actionText(entry.action), subjectOf(entry, t('audit.allSites'))].filter(Boolean).join(': ')}
          </strong>
          {detailText(entry) !== '' && <span className={classes['detail']}> · {detailText(entry)}</span>}{' '}
          {entry.count > 1 && <Badge color="gray">{t('audit.times', { count: entry.count })}</Badge>}
        </Text>
      ),
    },
    {
      id: 'actor',
      label: t('audit.who'),
      render: ({ actorKind, actorName }) => (
        <Stack gap={0} className={classes['who'] ?? ''}>
          <Text size="sm">
            {(actorKind === 'system' && actorName === 'first start' ? t('audit.firstStart') : actorName) ??
              t(`audit.actor-${actorKindKeys[actorKind]}`)}
          </Text>
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
      // Of IPv6 alone, an address is too long for one line.
      render: ({ address }) => (
        <span className="code" style={address?.includes(':') ? {} : { overflowWrap: 'normal' }}>
          {address ?? '–'}
        </span>
      ),
    },
    {
      id: 'at',
      label: t('audit.when'),
      render: ({ at }) => (
        <time dateTime={at} className={`numbers ${classes['when'] ?? ''}`}>
          {format.dateTime(at)}
        </time>
      ),
    },
  ];
  return <DataTable caption={t('audit.title')} columns={columns} rows={entries} idOf={({ id }) => id} />;
};
