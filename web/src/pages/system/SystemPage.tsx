import { Anchor, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { StateBadge, type Tone } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { Findings } from './Findings.tsx';
import { RetentionTerms } from './RetentionTerms.tsx';

type System = Schemas['System'];
type OpenIntent = Schemas['OpenIntent'];

const databaseNames: Readonly<Record<System['database'], string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
};

/** How the service itself is: versions, findings with what to do, orders whose outcome is open. */
export const SystemPage = () => {
  const t = useTranslations();
  const system = api.useQuery('get', '/system');
  return (
    <>
      <PageHeader title={t('system.title')} description={t('system.description')} />
      <QueryView query={system} lines={6}>
        {(data) => (
          <Stack gap="lg">
            <Facts system={data} />
            <Findings findings={data.findings} />
            <OpenIntents intents={data.openIntents} />
            <RetentionTerms terms={data.retention} />
          </Stack>
        )}
      </QueryView>
    </>
  );
};

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Paper p="md">
    <Text size="sm" c="dimmed" component="dt">
      {label}
    </Text>
    <Text component="dd" m={0} fz="lg" fw={600} className="numbers">
      {children}
    </Text>
  </Paper>
);

const Facts = ({ system }: { readonly system: System }) => {
  const t = useTranslations();
  const format = useFormat();
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 3, lg: 5 }} m={0}>
      <Fact label={t('system.version')}>{system.version}</Fact>
      <Fact label={t('system.node')}>{system.nodeVersion}</Fact>
      <Fact label={t('system.database')}>
        {databaseNames[system.database]}
        <Text size="xs" c="dimmed" component="span" display="block">
          {t('system.migrations', { count: system.migrations })}
        </Text>
      </Fact>
      <Fact label={t('system.started')}>
        <Time at={system.startedAt} />
      </Fact>
      <Fact label={t('system.failedDeliveries')}>
        {format.number(system.failedDeliveries)}
        {system.failedDeliveries > 0 && (
          <Anchor component={Link} to="/webhooks" size="sm" display="block">
            {t('system.toWebhooks')}
          </Anchor>
        )}
      </Fact>
    </SimpleGrid>
  );
};

const tones: Readonly<Record<OpenIntent['outcome'], Tone>> = {
  'in-progress': 'neutral',
  'being-settled': 'neutral',
  'waiting-for-controller': 'warning',
  overdue: 'bad',
};

const OpenIntents = ({ intents }: { readonly intents: readonly OpenIntent[] }) => {
  const t = useTranslations();
  const rows = intents.map((intent, index) => ({ ...intent, id: index }));
  const columns: Column<(typeof rows)[number]>[] = [
    {
      id: 'name',
      label: t('system.voucher'),
      render: ({ name }) => (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ),
    },
    { id: 'site', label: t('system.site'), render: ({ site }) => site },
    { id: 'since', label: t('system.since'), render: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'outcome',
      label: t('system.outcome'),
      render: ({ outcome }) => (
        <StateBadge tone={tones[outcome]}>{t(`system.outcome-${outcome}`)}</StateBadge>
      ),
    },
  ];
  return (
    <section>
      <Title order={2} fz="lg">
        {t('system.openOrders')}
      </Title>
      <Text c="dimmed" mb="sm">
        {rows.length === 0 ? t('system.noOpenOrders') : t('system.openOrdersText')}
      </Text>
      {rows.length > 0 && (
        <DataTable caption={t('system.openOrders')} columns={columns} rows={rows} idOf={({ id }) => id} />
      )}
    </section>
  );
};
