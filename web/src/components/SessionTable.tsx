import { Badge, Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../api/schemas.ts';
import { DataTable, type Column } from './DataTable.tsx';
import { Time } from './Time.tsx';

type Session = Schemas['Session'];

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;

/** The browser and the system that a User-Agent names; a text that names none stays as it is. */
const shortBrowser = (userAgent: string): string => {
  const browser = browsers.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = systems.find((sign) => userAgent.includes(sign));
  return [browser, system].filter((part) => part !== undefined).join(' · ') || userAgent;
};

interface SessionTableProps {
  readonly sessions: readonly Session[];
  /** Without it, sessions are only shown. */
  readonly onEnd?: (session: Session) => void;
}

/** Where a user is signed in. */
export const SessionTable = ({ sessions, onEnd }: SessionTableProps) => {
  const t = useTranslations();
  const columns: Column<Session>[] = [
    {
      id: 'browser',
      label: t('account.browser'),
      render: ({ browser, isCurrent }) => (
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {browser === null ? t('account.unknownBrowser') : shortBrowser(browser)}
          </Text>
          {isCurrent && <Badge>{t('account.thisSession')}</Badge>}
        </Group>
      ),
    },
    {
      id: 'address',
      label: t('account.address'),
      render: ({ address }) => <span className="code">{address}</span>,
    },
    { id: 'since', label: t('account.since'), render: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'used', label: t('account.lastUsed'), render: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  ];
  if (onEnd)
    columns.push({
      id: 'end',
      label: t('account.endSession'),
      isAction: true,
      render: (session) =>
        !session.isCurrent && (
          <Button variant="default" size="compact-sm" onClick={() => onEnd(session)}>
            {t('account.endSession')}
          </Button>
        ),
    });
  return (
    <DataTable caption={t('account.sessions')} columns={columns} rows={sessions} idOf={({ id }) => id} />
  );
};
